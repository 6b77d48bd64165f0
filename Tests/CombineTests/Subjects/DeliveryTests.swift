import Combine
import Testing

/// What a subject holds of a subscriber, and for how long, when something ends while a value is on its way.
@Suite struct DeliveryTests {
    /// Runs the body with a subject that has so many other subscribers, which came first.
    private func withSubjects(_ body: (PassthroughSubject<Int, Never>) -> Void) {
        for others in 0...2 {
            let subject = PassthroughSubject<Int, Never>()
            let cancellables = (0..<others).map { _ in subject.sink { _ in } }
            body(subject)
            cancellables.forEach { $0.cancel() }
        }
    }

    @Test(arguments: 1...3) func `A subscriber that cancels while it receives goes when it has received`(last: Int) {
        withSubjects { subject in
            weak var left: Recorder<Int, Never>?
            var isThereAfterCancel = false
            var values: [Int] = []
            do {
                let recorder = Recorder<Int, Never>()
                recorder.onValue = { [unowned recorder] value in
                    values.append(value)
                    if value == last {
                        recorder.cancel()
                        isThereAfterCancel = left != nil
                    }
                    return .none
                }
                subject.subscribe(recorder)
                left = recorder
            }
            for value in 1...4 { subject.send(value) }
            #expect(values == Array(1...last))
            #expect(isThereAfterCancel)
            #expect(left == nil)
        }
    }

    @Test(arguments: 1...3) func `A subscriber goes at once where another's value cancels it`(last: Int) {
        let subject = PassthroughSubject<Int, Never>()
        weak var left: Recorder<Int, Never>?
        var subscription: (any Subscription)?
        var values: [Int] = []
        let first = subject.sink { value in
            if value == last {
                subscription?.cancel()
                #expect(left == nil)
            }
        }
        do {
            let recorder = Recorder<Int, Never>()
            recorder.onValue = { value in
                values.append(value)
                return .none
            }
            subject.subscribe(recorder)
            subscription = recorder.subscription
            left = recorder
        }
        for value in 1...4 { subject.send(value) }
        #expect(values == Array(1..<last))
        first.cancel()
    }

    @Test func `Who cancels in a value that came from inside of another stays until the outer one has been received`() {
        withSubjects { subject in
            weak var left: Witness?
            var seen: [Int] = []
            var cancellable: AnyCancellable?
            do {
                let witness = Witness()
                left = witness
                cancellable = subject.sink { value in
                    seen.append(value)
                    if value < 3 { subject.send(value + 1) }
                    if value == 3 { cancellable?.cancel() }
                    withExtendedLifetime(witness) {}
                    #expect(left != nil)
                }
            }
            subject.send(3 - 3)
            subject.send(9)
            #expect(seen == [0, 1, 2, 3])
            #expect(left == nil)
        }
    }

    @Test func `A subject that ends while a value is on its way lets go of the subscriber after that`() {
        withSubjects { subject in
            weak var left: Recorder<Int, Never>?
            var events: [String] = []
            do {
                let recorder = Recorder<Int, Never>()
                recorder.onValue = { value in
                    events.append("\(value)")
                    if value == 2 {
                        subject.send(completion: .finished)
                        subject.send(3)
                        #expect(left != nil)
                    }
                    return .none
                }
                recorder.onCompletion = { events.append("\($0)") }
                subject.subscribe(recorder)
                left = recorder
            }
            subject.send(1)
            subject.send(2)
            #expect(events == ["1", "2", "finished"])
            #expect(left == nil)
        }
    }

    @Test func `No value comes after a cancel by the end of the value that it replaces`() {
        final class Ending {
            let run: () -> Void
            init(_ run: @escaping () -> Void) { self.run = run }
            deinit { run() }
        }
        for others in 0...1 {
            let subject = CurrentValueSubject<Ending?, Never>(nil)
            let cancellables = (0..<others).map { _ in subject.sink { _ in } }
            var isCancelled = false
            var cancellable: AnyCancellable?
            cancellable = subject.sink { _ in #expect(!isCancelled) }
            subject.send(nil)
            subject.send(
                Ending {
                    cancellable?.cancel()
                    isCancelled = true
                })
            subject.send(nil)
            subject.send(nil)
            #expect(isCancelled)
            cancellables.forEach { $0.cancel() }
        }
    }

    @Test func `Demand that becomes unlimited brings every later value once`() {
        let passthrough = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        recorder.onValue = { $0 == 1 ? .unlimited : .none }
        passthrough.subscribe(recorder)
        for value in 1...4 { passthrough.send(value) }
        recorder.request(.max(1))
        passthrough.send(5)
        #expect(recorder.values == [1, 2, 3, 4, 5])

        let current = CurrentValueSubject<Int, Never>(0)
        let other = Recorder<Int, Never>(requesting: .max(1))
        current.subscribe(other)
        current.send(1)
        other.request(.unlimited)
        for value in 2...4 { current.send(value) }
        other.request(.max(1))
        current.send(5)
        #expect(other.values == [0, 1, 2, 3, 4, 5])
    }

    @Test func `Who comes and goes while a value is on its way changes nothing for the others`() {
        let subject = PassthroughSubject<Int, Never>()
        var log: [String] = []
        var late: [AnyCancellable] = []
        let first = subject.sink { value in
            log.append("a\(value)")
            late.forEach { $0.cancel() }
            late = [subject.sink { log.append("b\($0)") }]
            let brief = subject.sink { log.append("c\($0)") }
            brief.cancel()
        }
        for value in 1...3 { subject.send(value) }
        first.cancel()
        subject.send(4)
        #expect(log == ["a1", "a2", "a3", "b4"])
    }

    @Test func `A sink's closures stay while a value is received, and go with it where that cancels`() {
        let upstream = ProbePublisher<Int, Never>()
        weak var left: Witness?
        let sink: Subscribers.Sink<Int, Never>
        do {
            let witness = Witness()
            left = witness
            weak var weakSink: Subscribers.Sink<Int, Never>?
            sink = .init(
                receiveCompletion: { _ in },
                receiveValue: { _ in
                    weakSink?.cancel()
                    #expect(left != nil)
                    withExtendedLifetime(witness) {}
                })
            weakSink = sink
        }
        upstream.subscribe(sink)
        upstream.send(1)
        #expect(left == nil)
        upstream.send(2)
        withExtendedLifetime(sink) {}
    }
}
