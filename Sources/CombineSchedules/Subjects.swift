import Combine

extension Scenario {
    /// A subject with one subscriber, or with another beside it, and one that comes.
    private static func subject<Subject: Combine.Subject>(
        _ name: String, moreActions: @escaping (Subject) -> [Action] = { _ in [] }, _ make: @escaping () -> Subject
    ) -> [Scenario] where Subject.Output == Int, Subject.Failure == Broken {
        [nil, 1, 0].flatMap { demand in
            [false, true].map { isAlone in
                Scenario(name: named(name + (isAlone ? ", alone" : ""), demand)) { bothAreSent in
                    let subject = make()
                    let order = bothAreSent ? Order.free : .serial
                    let probe = Probe<Int, Broken>(requesting: demand, order)
                    let others = [Probe<Int, Broken>(requesting: nil, order), Probe(requesting: demand, order)]
                    subject.subscribe(probe)
                    if !isAlone { subject.subscribe(others[0]) }
                    let actions = [
                        Action(name: "a value", isSent: true) { subject.send(1) },
                        Action(name: "the end", isSent: true) { subject.send(completion: .finished) },
                        Action(name: "a subscriber", isSent: true, isSingle: true) { subject.subscribe(others[1]) },
                    ]
                    return Situation(
                        actions: actions + moreActions(subject) + probe.actions,
                        check: { check(subject, probe, isAlone ? [others[1]] : others) })
                }
            }
        }
    }

    private static func check<Subject: Combine.Subject>(
        _ subject: Subject, _ probe: Probe<Int, Broken>, _ others: [Probe<Int, Broken>]
    ) where Subject.Output == Int, Subject.Failure == Broken {
        let before = probe.events
        for probe in [probe] + others { probe.request(10) }
        subject.send(100)
        if probe.isCancelled {
            expect(probe.events == before, "something came after a cancel")
        } else {
            expect(probe.ends == 1 || probe.values.last == 100, "demand was lost")
        }
        subject.send(completion: .finished)
        expect(probe.isCancelled || probe.ends == 1, "\(probe.ends) ends came")
        for other in others where other.hasSubscribed { expect(other.ends == 1, "another got \(other.ends) ends") }
    }

    static let subjects: [Scenario] =
        subject("PassthroughSubject") { PassthroughSubject<Int, Broken>() }
        + subject(
            "CurrentValueSubject",
            moreActions: { subject in
                [
                    Action(name: "a value that is set", isSent: true) { subject.value = 2 },
                    Action(name: "a look at the value") { _ = subject.value },
                ]
            }
        ) { CurrentValueSubject<Int, Broken>(0) }
        + [nil, 1, 0].flatMap { [currentValue($0), published($0), future($0)] }

    /// Whatever meets, the subscriber that has demand has the latest value in the end.
    private static func currentValue(_ demand: Int?) -> Scenario {
        Scenario(name: named("CurrentValueSubject, the latest value", demand)) { bothAreSent in
            let subject = CurrentValueSubject<Int, Never>(0)
            let probe = Probe<Int, Never>(requesting: demand, bothAreSent ? .free : .serial)
            subject.subscribe(probe)
            return Situation(
                actions: [
                    Action(name: "a value", isSent: true) { subject.send(1) },
                    Action(name: "two requests") {
                        probe.request(1)
                        probe.request(1)
                    },
                    Action(name: "a request") { probe.request(1) },
                ],
                check: {
                    let isOwed = demand == nil || probe.values.count < (demand ?? 0) + probe.requests
                    expect(!isOwed || probe.values.contains(subject.value), "the latest value is missing")
                    expect(Set(probe.values).count == probe.values.count || bothAreSent, "a value came twice")
                })
        }
    }

    private static func published(_ demand: Int?) -> Scenario {
        Scenario(name: named("Published", demand)) { bothAreSent in
            let holder = Holder()
            let probe = Probe<Int, Never>(requesting: demand, bothAreSent ? .free : .serial)
            let other = Probe<Int, Never>(requesting: nil, bothAreSent ? .free : .serial)
            holder.$number.subscribe(probe)
            return Situation(
                actions: [
                    Action(name: "a value", isSent: true) { holder.number = 1 },
                    Action(name: "a look at the value") { _ = holder.number },
                    Action(name: "a subscriber", isSent: true, isSingle: true) { holder.$number.subscribe(other) },
                ] + probe.actions,
                check: {
                    let before = probe.events
                    probe.request(10)
                    holder.number = 2
                    expect(!probe.isCancelled || probe.events == before, "something came after a cancel")
                    expect(probe.isCancelled || probe.values.contains(2), "demand was lost")
                    expect(!other.hasSubscribed || other.values.last == 2, "another missed the latest value")
                })
        }
    }

    private final class Holder: ObservableObject {
        @Published var number = 0
    }

    private static func future(_ demand: Int?) -> Scenario {
        Scenario(name: named("Future", demand)) { _ in
            var promise: Future<Int, Broken>.Promise = { _ in }
            let future = Future<Int, Broken> { promise = $0 }
            let probe = Probe<Int, Broken>(requesting: demand)
            let other = Probe<Int, Broken>(requesting: nil)
            future.subscribe(probe)
            let keep = promise
            return Situation(
                actions: [
                    Action(name: "a value") { keep(.success(1)) },
                    Action(name: "a failure") { keep(.failure(Broken())) },
                    Action(name: "a subscriber", isSingle: true) { future.subscribe(other) },
                ] + probe.actions,
                check: {
                    let before = probe.events
                    keep(.success(2))
                    probe.request(1)
                    expect(!probe.isCancelled || probe.events == before, "something came after a cancel")
                    expect(probe.isCancelled || probe.ends == 1, "\(probe.ends) ends came")
                    expect(!other.hasSubscribed || other.ends == 1, "another got \(other.ends) ends")
                })
        }
    }
}
