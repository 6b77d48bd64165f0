import Foundation

// Several threads send, request and cancel at the same time. Built with `--sanitize=thread -Xswiftc -DCOMBINE_TSAN`, it
// shows races; built in any way, it shows promises that are broken. It ends with 1 where it has seen one.
//
//     combine-stress [ROUNDS]         every scenario, this often
//     combine-stress planted-race     a race, to see that the sanitizer is awake

switch CommandLine.arguments.dropFirst().first {
case "planted-race":
    var count = 0
    together({ for _ in 0..<1000 { count += 1 } }, { for _ in 0..<1000 { count += 1 } })
    print("planted a race: \(count)")
case let argument:
    guard let rounds = Int(argument ?? "20"), rounds > 0 else {
        print("The number of rounds must be a positive number, but it is “\(argument ?? "")”. Try combine-stress 20.")
        exit(2)
    }
    for scenario in Scenario.all {
        for _ in 0..<rounds { scenario.run(200) }
        print("\(scenario.name): \(rounds) rounds")
    }
    let broken = violations.load(ordering: .relaxed)
    guard broken == 0 else {
        print("\(broken) promises were broken.")
        exit(1)
    }
}
