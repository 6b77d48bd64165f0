import Combine
import Foundation
import Schedules

// Two threads meet at each operator and each subject, in all orders with at most two interruptions. `.ci/combine-schedules`
// builds this so that the scheduler sees Combine's accesses. It ends with 1 where something does not hold in one of the orders.
//
//     combine-schedules [NAME …]       all scenarios, or those whose names contain one of these
//     combine-schedules planted-race   a race, to see that the scheduler sees Combine

setvbuf(stdout, nil, _IOLBF, 0)
let wanted = CommandLine.arguments.dropFirst()
let chosen =
    wanted == ["planted-race"]
    ? [.plantedRace]
    : Scenario.all.filter { scenario in wanted.isEmpty || wanted.contains { scenario.name.contains($0) } }
guard !chosen.isEmpty else {
    print("No scenario has one of these names. The names are: \(Scenario.all.map(\.name).joined(separator: ", ")).")
    exit(2)
}
// A crash ends the program. Where it came is said before.
Thread.detachNewThread {
    schedules_awaitCrash()
    print("    a crash, by \(Exploration.text): \(Scenario.current)")
    schedules_crashWasTold()
}
var found = 0
for scenario in chosen {
    let result = scenario.run {
        print("    \($0.pair), by \($0.order.isEmpty ? "one after the other" : $0.order): \($0.finding)")
    }
    found += result.found.count
    for (reason, pairs) in Dictionary(grouping: scenario.leftOut, by: \.value).sorted(by: { $0.key < $1.key }) {
        print("    left out: \(pairs.map(\.key).sorted().joined(separator: ", ")): \(reason)")
    }
    print("\(scenario.name): \(result.pairs) pairs, \(result.orders) orders, \(result.found.count) findings")
}
exit(found == 0 ? 0 : 1)
