import Combine

extension Scenario {
    private typealias Sources = (Source<Int>, Source<Int>)

    /// An operator with two upstreams, whose subscriber wants everything, and one value.
    private static func joining<Chain: Publisher>(
        _ name: String, _ promise: Promise = .serial, isLate: Bool = false,
        prepare: @escaping (Sources) -> Void = { _ in }, _ build: @escaping (Sources) -> Chain
    ) -> [Scenario] {
        [nil, 1].map { demand in
            Scenario(name: named(name, demand), leftOut: promise.leftOut) { bothAreSent in
                let sources = (Source<Int>(), Source<Int>(isLate: isLate))
                let probe = Probe<Chain.Output, Chain.Failure>(
                    requesting: demand, bothAreSent ? promise.whenBothSend : .serial)
                build(sources).subscribe(probe)
                prepare(sources)
                var actions = sources.0.actions() + sources.1.actions(" of the other") + probe.actions
                if isLate { actions.append(Action(name: "the other's subscription", run: sources.1.connect)) }
                return Situation(
                    actions: actions,
                    check: {
                        sources.1.connect()
                        probe.check([sources.0, sources.1], passes: promise.passes, then: sources.1.connect)
                    })
            }
        }
    }

    /// An operator of publishers: for each value of the first source, the second is subscribed to.
    private static func flattening<Chain: Publisher>(
        _ name: String, _ build: @escaping (AnyPublisher<Source<Int>, Broken>) -> Chain
    ) -> [Scenario] where Chain.Output == Int {
        joining(name, Promise(whenBothSend: .serial, passes: false), prepare: { $0.0.send(0) }) { sources in
            build(sources.0.map { _ in sources.1 }.eraseToAnyPublisher())
        }
    }

    static let severalUpstreams: [Scenario] =
        joining("merge") { $0.0.merge(with: $0.1) }
        + joining("merge with a late one", isLate: true) { $0.0.merge(with: $0.1) }
        + joining("zip") { $0.0.zip($0.1) }
        + joining("zip with a late one", isLate: true) { $0.0.zip($0.1) }
        + joining("combineLatest") { $0.0.combineLatest($0.1) }
        + joining("combineLatest with a late one", isLate: true) { $0.0.combineLatest($0.1) }
        + joining("append a publisher", Promise(passes: false)) { $0.0.append($0.1) }
        + joining("append a late publisher", Promise(passes: false), isLate: true) { $0.0.append($0.1) }
        + joining("prefix(untilOutputFrom:)", .endsByOther) { $0.0.prefix(untilOutputFrom: $0.1) }
        + joining("drop(untilOutputFrom:)", .passesEveryEnd) { $0.0.drop(untilOutputFrom: $0.1) }
        + flattening("flatMap") { $0.flatMap { $0 } }
        + flattening("flatMap, one at a time") { $0.flatMap(maxPublishers: .max(1)) { $0 } }
        + flattening("switchToLatest among publishers") { $0.switchToLatest() }
        + joining("catch with another publisher", .catches) { sources in sources.0.catch { _ in sources.1 } }
}
