import Combine
import Testing

@Suite("merge")
struct MergeTests {
    private let a = ProbePublisher<Int, Oops>()
    private let b = ProbePublisher<Int, Oops>()

    private func subscribe(
        requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand, perValue: perValue)
        Publishers.Merge(a, b).watched().subscribe(recorder)
        return recorder
    }

    // MARK: Values

    @Test func `values go down as they come`() {
        let recorder = subscribe()
        a.send(1)
        b.send(2)
        b.send(3)
        a.send(4)
        #expect(recorder.values == [1, 2, 3, 4])
    }

    @Test func `up to eight publishers, and joining one makes the next`() {
        let j = Just(1)
        let two = Publishers.Merge(j, j)
        let three: Publishers.Merge3 = two.merge(with: j)
        let four: Publishers.Merge4 = three.merge(with: j)
        let five: Publishers.Merge5 = four.merge(with: j)
        let six: Publishers.Merge6 = five.merge(with: j)
        let seven: Publishers.Merge7 = six.merge(with: j)
        let eight: Publishers.Merge8 = seven.merge(with: j)
        let eightAtOnce = j.merge(with: j, j, j, j, j, j, j)
        #expect(eight == eightAtOnce)
        #expect(two.merge(with: j, j, j, j, j, j) == eight)
        for (publisher, count) in [
            (two.eraseToAnyPublisher(), 2), (three.eraseToAnyPublisher(), 3), (four.eraseToAnyPublisher(), 4),
            (five.eraseToAnyPublisher(), 5), (six.eraseToAnyPublisher(), 6), (seven.eraseToAnyPublisher(), 7),
            (eight.eraseToAnyPublisher(), 8),
        ] {
            let recorder = Recorder<Int, Never>()
            publisher.watched().subscribe(recorder)
            #expect(recorder.signals == Array(repeating: .value(1), count: count) + [.finished])
        }
    }

    @Test func `any number of publishers of one type`() {
        let many: Publishers.MergeMany = Publishers.MergeMany([[1, 2].publisher, [3].publisher])
            .merge(with: [4].publisher)
        let recorder = Recorder<Int, Never>()
        many.watched().subscribe(recorder)
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .value(4), .finished])
        #expect(many.publishers.count == 3)
        let pair: Publishers.MergeMany<Just<Int>> = Just(1).merge(with: Just(2))
        #expect(pair == Publishers.MergeMany(Just(1), Just(2)))
    }

    @Test func `none at all finish at once`() {
        let recorder = Recorder<Int, Never>()
        Publishers.MergeMany<Just<Int>>([]).watched().subscribe(recorder)
        #expect(recorder.events == [.subscription("Merge"), .finished])
    }

    // MARK: Demand

    @Test func `every publisher is asked for one value ahead, whatever the demand`() {
        let recorder = subscribe(requesting: .max(5))
        #expect(a.events == [.requested(.max(1))])
        #expect(b.events == [.requested(.max(1))])
        #expect(a.send(1) == .max(1))
        #expect(recorder.values == [1])
    }

    @Test func `unlimited demand is passed to every publisher`() {
        let recorder = subscribe()
        #expect(a.events == [.requested(.unlimited)])
        #expect(a.send(1) == .none)
        #expect(recorder.values == [1])
    }

    @Test func `the value that is one ahead waits for demand, and another is requested in its place`() {
        let recorder = subscribe(requesting: nil)
        #expect(a.send(1) == .none)
        #expect(b.send(2) == .none)
        #expect(recorder.values == [])
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        #expect(a.events == [.requested(.max(1)), .requested(.max(1))])
        #expect(b.events == [.requested(.max(1))])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
    }

    @Test func `demand that becomes unlimited is passed on, behind what waits`() {
        let recorder = subscribe(requesting: nil)
        a.send(1)
        recorder.request(.unlimited)
        #expect(recorder.values == [1])
        #expect(a.events == [.requested(.max(1)), .requested(.unlimited)])
        #expect(b.events == [.requested(.max(1)), .requested(.unlimited)])
        recorder.request(.unlimited)
        #expect(a.events.count == 2)
    }

    @Test func `what a value asks for lets the waiting ones go`() {
        let recorder = subscribe(requesting: nil, perValue: .max(1))
        a.send(1)
        b.send(2)
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
        #expect(a.send(3) == .max(1))
    }

    @Test func `sequences are merged one value at a time, for as long as there is demand`() {
        let recorder = Recorder<Int, Never>(requesting: .max(3))
        Publishers.Merge([1, 2, 3].publisher, [4, 5, 6].publisher).watched().subscribe(recorder)
        #expect(recorder.values == [1, 2, 3])
        recorder.request(.unlimited)
        #expect(recorder.signals == [1, 2, 3, 4, 5, 6].map { .value($0) } + [.finished])
    }

    // MARK: The end

    @Test func `it finishes when all have finished and nothing waits`() {
        let recorder = subscribe(requesting: .max(1))
        a.send(1)
        b.send(2)
        a.send(completion: .finished)
        b.send(completion: .finished)
        #expect(recorder.signals == [.value(1)])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(2), .finished])
    }

    @Test func `a failure ends it at once and cancels the others`() {
        let recorder = subscribe()
        a.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(a.subscription?.isCancelled == false)
        #expect(b.events == [.requested(.unlimited), .cancelled])
        b.send(1)
        b.send(completion: .finished)
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `cancelling cancels every publisher, once`() {
        let recorder = subscribe()
        recorder.cancel()
        recorder.cancel()
        #expect(a.events == [.requested(.unlimited), .cancelled])
        #expect(b.events == [.requested(.unlimited), .cancelled])
        a.send(1)
        #expect(recorder.signals == [])
    }

    @Test func `cancelling while it subscribes cancels the publishers when they come`() {
        let recorder = Recorder<Int, Oops>(requesting: nil)
        recorder.onSubscription = { $0.cancel() }
        Publishers.Merge(a, b).watched().subscribe(recorder)
        #expect(a.events == [.cancelled])
        #expect(b.events == [.cancelled])
    }

    // MARK: Re-entrancy

    @Test func `what is sent from inside of a value arrives before that send returns`() {
        let recorder = subscribe()
        recorder.onValue = { [b] value in
            if value == 1 {
                b.send(2)
                #expect(recorder.values == [1, 2])
            }
            return .none
        }
        a.send(1)
        a.send(3)
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `what is sent from inside of a value, when that was the last one, waits`() {
        let recorder = subscribe(requesting: .max(1))
        recorder.onValue = { [b] value in
            if value == 1 {
                b.send(2)
                #expect(recorder.values == [1])
            }
            return value == 1 ? .max(1) : .none
        }
        a.send(1)
        #expect(recorder.values == [1, 2])
    }

    @Test func `cancelling from inside of a value stops what waits behind it`() {
        let recorder = subscribe(requesting: nil)
        recorder.onValue = { _ in
            recorder.cancel()
            return .max(1)
        }
        a.send(1)
        b.send(2)
        recorder.request(.max(2))
        #expect(recorder.signals == [.value(1)])
    }

    // MARK: Description and lifetime

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: Publishers.Merge(a, b)) == SelfDescription("Merge"))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.merge(with: subject.map { _ in ObjectIdentifier(witness).hashValue }).eraseToAnyPublisher()
        }
    }
}
