/// What one party does to a chain.
struct Action {
    let name: String
    /// Whether it is an upstream's: two of those may come at the same time only where an operator allows that.
    var isSent = false
    /// Whether it is done once only.
    var isSingle = false
    let run: () -> Void
}

/// A chain with all that can be done to it, made for each try.
struct Situation {
    var actions: [Action]
    /// What has to hold when two of them are done.
    var check: () -> Void
}

/// An operator or a subject, of whose actions each two meet once.
struct Scenario {
    let name: String
    /// Pairs that do not have to work, each with the reason.
    var leftOut: [String: String] = [:]
    /// Makes it, for two actions that are both sent from upstream or not.
    let make: (_ bothAreSent: Bool) -> Situation

    /// The one that is explored.
    nonisolated(unsafe) static var current = ""  // is written between explorations

    struct Found {
        var pair: String
        var finding: String
        var order: String
    }

    struct Result {
        var pairs = 0
        var orders = 0
        var found: [Found] = []
    }

    func run(tell: (Found) -> Void) -> Result {
        var result = Result()
        let actions = make(false).actions
        for first in actions.indices {
            for second in actions.indices where second >= first {
                let pair = "\(actions[first].name) and \(actions[second].name)"
                guard leftOut[pair] == nil, first != second || !actions[first].isSingle else { continue }
                Self.current = "\(name): \(pair)"
                let bothAreSent = actions[first].isSent && actions[second].isSent
                let ending = Exploration.run { [make] in
                    let situation = make(bothAreSent)
                    return Meeting(
                        threads: [situation.actions[first].run, situation.actions[second].run], check: situation.check)
                }
                result.pairs += 1
                result.orders += ending.orders
                if let finding = ending.finding {
                    let found = Found(pair: pair, finding: finding, order: Exploration.text)
                    result.found.append(found)
                    tell(found)
                }
            }
        }
        return result
    }
}

extension Scenario {
    /// What `scan` remembers has no lock. Who sends to it from two threads has a data race, which must be found.
    static let plantedRace = Scenario(name: "scan with two senders") { _ in
        let source = Source<Int>()
        source.scan(0, +).subscribe(Probe(requesting: nil, .free))
        return Situation(actions: [Action(name: "a value") { source.send(1) }], check: {})
    }

    static let all = oneUpstream + severalUpstreams + time + subjects + multicasting + sinks
}
