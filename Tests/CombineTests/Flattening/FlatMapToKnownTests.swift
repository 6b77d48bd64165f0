import Combine
import Testing

/// A publisher whose one value is known takes a shorter way through `flatMap` than others. Subscribers see no difference.
@Suite struct FlatMapToKnownTests {
    private typealias Inner = AnyPublisher<Int, Oops>

    /// The same chain twice, with the inner publisher as it is and with its type hidden.
    private func expectsTheSame<P: Publisher>(
        maxPublishers: Subscribers.Demand, requesting demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ inner: @escaping (Int) -> P, act: (ProbePublisher<Int, Oops>, Recorder<Int, Oops>) -> Void
    ) where P.Output == Int, P.Failure == Oops {
        func run<Q: Publisher>(_ inner: @escaping (Int) -> Q) -> (Recorder<Int, Oops>, ProbePublisher<Int, Oops>)
        where Q.Output == Int, Q.Failure == Oops {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<Int, Oops>(requesting: demand, perValue: perValue)
            upstream.flatMap(maxPublishers: maxPublishers, inner).subscribe(recorder)
            act(upstream, recorder)
            return (recorder, upstream)
        }
        let known = run(inner)
        let hidden = run { inner($0).eraseToAnyPublisher() }
        #expect(known.0.events == hidden.0.events, sourceLocation: sourceLocation)
        #expect(known.1.events == hidden.1.events, sourceLocation: sourceLocation)
    }

    @Test func `Values, demand and the end are the same as with a publisher of a hidden type`() {
        for limit in [Subscribers.Demand.unlimited, .max(1), .max(2)] {
            for demand in [nil, Subscribers.Demand.unlimited, .max(1), .max(2)] {
                for perValue in [Subscribers.Demand.none, .max(1)] {
                    let act: (ProbePublisher<Int, Oops>, Recorder<Int, Oops>) -> Void = { upstream, recorder in
                        for value in 0..<3 { upstream.send(value) }
                        recorder.request(.max(1))
                        upstream.send(3)
                        upstream.send(completion: .finished)
                        recorder.request(.max(2))
                        recorder.request(.unlimited)
                    }
                    expectsTheSame(
                        maxPublishers: limit, requesting: demand, perValue: perValue,
                        { Just($0).setFailureType(to: Oops.self) }, act: act)
                    expectsTheSame(
                        maxPublishers: limit, requesting: demand, perValue: perValue,
                        { Result<Int, Oops>.success($0).publisher }, act: act)
                    expectsTheSame(
                        maxPublishers: limit, requesting: demand, perValue: perValue,
                        { ($0 == 2 ? Result<Int, Oops>.failure(Oops()) : .success($0)).publisher }, act: act)
                }
            }
        }
    }

    @Test func `An optional without a value ends at once`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        upstream.flatMap(maxPublishers: .max(1)) { ($0 == 1 ? nil : $0).publisher }.subscribe(recorder)
        for value in 0..<3 { upstream.send(value) }
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value(0), .value(2), .finished])
        #expect(upstream.events == Array(repeating: .requested(.max(1)), count: 4))
    }

    @Test func `The end waits for a value whose publisher is being made`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        upstream.flatMap { value -> Just<Int> in
            upstream.send(completion: .finished)
            return Just(value)
        }.subscribe(recorder)
        upstream.send(1)
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `Nothing comes after a cancel while the publisher is being made`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        upstream.flatMap { value -> Just<Int> in
            recorder.cancel()
            return Just(value)
        }.subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
    }

    @Test func `What is sent, cancelled and ended from inside of a value is heard`() {
        for last in ["cancel", "finish"] {
            let subject = PassthroughSubject<Int, Never>()
            let recorder = Recorder<Int, Never>()
            recorder.onValue = { value in
                if value < 3 { subject.send(value + 1) }
                if value == 3 {
                    if last == "cancel" { recorder.cancel() } else { subject.send(completion: .finished) }
                }
                return .none
            }
            subject.flatMap { Just($0) }.subscribe(recorder)
            subject.send(1)
            subject.send(1)
            #expect(recorder.signals == [.value(1), .value(2), .value(3)] + (last == "cancel" ? [] : [.finished]))
        }
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.flatMap { value -> Just<Int> in
                _ = witness
                return Just(value)
            }.eraseToAnyPublisher()
        }
    }
}
