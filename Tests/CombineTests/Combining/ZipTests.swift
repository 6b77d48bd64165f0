import Combine
import Testing

@Suite("zip")
struct ZipTests {
    private let a = ProbePublisher<Int, Oops>()
    private let b = ProbePublisher<String, Oops>()

    private func subscribe(
        requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<String, Oops> {
        let recorder = Recorder<String, Oops>(requesting: demand, perValue: perValue)
        a.zip(b) { "\($0)\($1)" }.watched().subscribe(recorder)
        return recorder
    }

    // MARK: Values

    @Test func `the first values go together, then the second`() {
        let recorder = subscribe()
        a.send(1)
        a.send(2)
        #expect(recorder.values == [])
        b.send("x")
        b.send("y")
        b.send("z")
        #expect(recorder.values == ["1x", "2y"])
        a.send(3)
        #expect(recorder.values == ["1x", "2y", "3z"])
    }

    @Test func `a long line keeps its order while it grows and shrinks`() {
        let recorder = subscribe()
        var sent = 0
        for round in 1...5 {
            for _ in 0..<round * 7 {
                a.send(sent)
                sent += 1
            }
            for _ in 0..<round * 5 { b.send("") }
        }
        #expect(recorder.values == (0..<75).map { "\($0)" })
    }

    @Test func `three and four publishers`() {
        let three = Recorder<[Int], Never>()
        Publishers.Zip3([1, 2].publisher, [3, 4].publisher, [5, 6, 7].publisher)
            .map { [$0, $1, $2] }.watched().subscribe(three)
        #expect(three.signals == [.value([1, 3, 5]), .value([2, 4, 6]), .finished])
        let four = Recorder<[Int], Never>()
        [1, 2].publisher.zip([3, 4].publisher, [5].publisher, [7, 8].publisher) { [$0, $1, $2, $3] }
            .watched().subscribe(four)
        #expect(four.signals == [.value([1, 3, 5, 7]), .finished])
    }

    // MARK: Demand

    @Test func `every publisher is asked for what downstream asks`() {
        let recorder = subscribe(requesting: .max(2))
        recorder.request(.max(3))
        #expect(a.events == [.requested(.max(2)), .requested(.max(3))])
        #expect(b.events == [.requested(.max(2)), .requested(.max(3))])
    }

    @Test func `what a value asks for is returned to its publisher and requested from the others`() {
        let recorder = subscribe(requesting: .max(1), perValue: .max(4))
        #expect(a.send(1) == .none)
        #expect(b.send("x") == .max(4))
        #expect(a.events == [.requested(.max(1)), .requested(.max(4))])
        #expect(b.events == [.requested(.max(1))])
        #expect(recorder.values == ["1x"])
    }

    @Test func `what is requested from inside of a value counts together with what that value returns`() {
        let recorder = subscribe(requesting: .max(1))
        recorder.onValue = { _ in
            recorder.request(.max(2))
            return .max(3)
        }
        a.send(1)
        #expect(b.send("x") == .max(5))
        #expect(a.events == [.requested(.max(1)), .requested(.max(5))])
        #expect(b.events == [.requested(.max(1))])
    }

    /// The same as Apple's: a publisher that sends more values than requested is not held back.
    @Test func `values that come without demand go on without demand`() {
        let recorder = Recorder<String, Oops>(requesting: nil, perValue: .max(1))
        a.zip(b) { "\($0)\($1)" }.subscribe(recorder)
        a.send(1)
        #expect(b.send("x") == .max(1))
        #expect(recorder.values == ["1x"])
        #expect(a.events == [.requested(.max(1))])
    }

    // MARK: The end

    @Test func `it finishes when a finished publisher has no value left, and cancels the others`() {
        let recorder = subscribe()
        a.send(1)
        a.send(completion: .finished)
        #expect(recorder.signals == [])
        b.send("x")
        #expect(recorder.signals == [.value("1x"), .finished])
        #expect(b.events == [.requested(.unlimited), .cancelled])
        #expect(a.events == [.requested(.unlimited)])
    }

    @Test func `it finishes at once where the finished publisher has nothing waiting`() {
        let recorder = subscribe()
        b.send("x")
        a.send(completion: .finished)
        #expect(recorder.signals == [.finished])
        #expect(b.subscription?.isCancelled == true)
    }

    @Test func `a failure ends it at once and cancels all, also the one that failed`() {
        let recorder = subscribe()
        a.send(1)
        b.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(a.subscription?.isCancelled == true)
        #expect(b.subscription?.isCancelled == true)
        a.send(2)
        b.send("x")
        b.send(completion: .finished)
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `an end that comes while it subscribes is told after the subscription`() {
        let finished = Recorder<Int, Never>()
        Empty<Int, Never>().zip(Just(1)) { $0 + $1 }.watched().subscribe(finished)
        #expect(finished.events == [.subscription("Zip"), .finished])
        let failed = Recorder<Int, Oops>()
        Fail<Int, Oops>(error: Oops()).zip(ProbePublisher<Int, Oops>()) { $0 + $1 }.watched().subscribe(failed)
        #expect(failed.events == [.subscription("Zip"), .failure("oops")])
    }

    @Test func `cancelling cancels every publisher, once`() {
        let recorder = subscribe()
        recorder.cancel()
        recorder.cancel()
        #expect(a.events == [.requested(.unlimited), .cancelled])
        #expect(b.events == [.requested(.unlimited), .cancelled])
        a.send(1)
        b.send("x")
        #expect(recorder.signals == [])
    }

    @Test func `a second subscription of a publisher is cancelled`() {
        let recorder = subscribe()
        let second = ProbeSubscription()
        a.send(subscription: second)
        #expect(second.events == [.cancelled])
        recorder.cancel()
    }

    // MARK: Re-entrancy

    @Test func `what is sent from inside of a value arrives before that send returns`() {
        let recorder = subscribe()
        recorder.onValue = { [a, b] value in
            if value == "1x" {
                a.send(2)
                b.send("y")
                #expect(recorder.values == ["1x", "2y"])
            }
            return .none
        }
        a.send(1)
        b.send("x")
        #expect(recorder.values == ["1x", "2y"])
    }

    @Test func `cancelling from inside of a value stops what waits behind it`() {
        let recorder = subscribe()
        recorder.onValue = { _ in
            recorder.cancel()
            return .max(5)
        }
        for i in 1...3 { a.send(i) }
        b.send("x")
        b.send("y")
        #expect(recorder.signals == [.value("1x")])
        #expect(a.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `failing from inside of a value ends it there`() {
        let recorder = subscribe()
        recorder.onValue = { [b] _ in
            b.send(completion: .failure(Oops()))
            return .max(1)
        }
        a.send(1)
        b.send("x")
        #expect(recorder.signals == [.value("1x"), .failure("oops")])
    }

    // MARK: Description and lifetime

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: a.zip(b)) == SelfDescription("Zip"))
    }

    @Test func `publishers that are equal make equal zips`() {
        #expect(Just(1).zip(Just(2)) == Just(1).zip(Just(2)))
        #expect(Just(1).zip(Just(2), Just(3)) != Just(1).zip(Just(2), Just(4)))
        #expect(Just(1).zip(Just(2), Just(3), Just(4)) == Publishers.Zip4(Just(1), Just(2), Just(3), Just(4)))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.zip(subject.map { _ in ObjectIdentifier(witness) }) { a, _ in a }.eraseToAnyPublisher()
        }
    }

    @Test func `values that waited are gone with the end`() {
        weak var left: Witness?
        let subject = PassthroughSubject<Witness, Never>()
        let never = PassthroughSubject<Witness, Never>()
        let pending = subject.zip(never).sink { _ in }
        do {
            let witness = Witness()
            left = witness
            subject.send(witness)
        }
        #expect(left != nil)
        pending.cancel()
        #expect(left == nil)
    }
}
