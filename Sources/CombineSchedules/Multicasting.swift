import Combine

extension Scenario {
    /// A publisher with one subscription for all subscribers, which come and go.
    private static func sharing<Shared: Publisher>(
        _ name: String, prepare: @escaping (Shared) -> Void = { _ in }, _ make: @escaping (Source<Int>) -> Shared
    ) -> [Scenario] where Shared.Output == Int {
        [nil, 1].flatMap { demand in
            [true, false].map { isFirst in
                Scenario(name: named(name + (isFirst ? ", nobody there" : ""), demand)) { bothAreSent in
                    let source = Source<Int>()
                    let shared = make(source)
                    prepare(shared)
                    let order = bothAreSent ? Order.free : .serial
                    let probes = (0..<4).map { _ in Probe<Int, Shared.Failure>(requesting: demand, order) }
                    if !isFirst { shared.subscribe(probes[0]) }
                    return Situation(
                        actions: source.actions() + [
                            Action(name: "a subscriber", isSingle: true) { shared.subscribe(probes[1]) },
                            Action(name: "another subscriber", isSingle: true) { shared.subscribe(probes[2]) },
                            Action(name: "one that comes and goes", isSingle: true) {
                                shared.subscribe(probes[3])
                                probes[3].cancel()
                            },
                        ] + (isFirst ? [] : probes[0].actions),
                        check: { check(source, probes.filter(\.hasSubscribed)) })
                }
            }
        }
    }

    private static func check<Failure: Error>(_ source: Source<Int>, _ probes: [Probe<Int, Failure>]) {
        let counts = probes.map(\.events)
        let hadEnded = source.hasEnded
        probes.forEach { $0.request(10) }
        source.send(100)
        for (probe, before) in zip(probes, counts) {
            if probe.isCancelled {
                expect(probe.events == before, "something came after a cancel")
            } else {
                expect(hadEnded || probe.values.last == 100, "demand was lost")
            }
        }
        let areGone = probes.allSatisfy(\.isCancelled)
        expect(!areGone || source.isLeft, "a connection is left")
        source.finish()
        for probe in probes where !probe.isCancelled { expect(probe.ends == 1, "\(probe.ends) ends came") }
    }

    static let multicasting: [Scenario] =
        sharing("share") { $0.share() }
        + sharing("multicast, autoconnect") { $0.multicast { CurrentValueSubject(0) }.autoconnect() }
        + sharing("makeConnectable") { $0.replaceError(with: 0).makeConnectable().autoconnect() }
        + [sharedEnd]

    /// A subject that ends while a subscriber comes to it through others.
    private static let sharedEnd = Scenario(name: "share of a subject that ends") { _ in
        let subject = PassthroughSubject<Int, Never>()
        let probe = Probe<Int, Never>(requesting: nil, .free)
        let shared = subject.share()
        return Situation(
            actions: [
                Action(name: "a subscriber", isSingle: true) { shared.subscribe(probe) },
                Action(name: "a value") { subject.send(1) },
                Action(name: "the end") { subject.send(completion: .finished) },
            ],
            check: {
                subject.send(completion: .finished)
                expect(!probe.hasSubscribed || probe.ends == 1, "\(probe.ends) ends came")
            })
    }
}
