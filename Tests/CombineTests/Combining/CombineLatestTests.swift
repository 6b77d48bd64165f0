import Combine
import Testing

@Suite("combineLatest")
struct CombineLatestTests {
    private let a = ProbePublisher<Int, Oops>()
    private let b = ProbePublisher<String, Oops>()

    private func subscribe(
        requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<String, Oops> {
        let recorder = Recorder<String, Oops>(requesting: demand, perValue: perValue)
        a.combineLatest(b) { "\($0)\($1)" }.watched().subscribe(recorder)
        return recorder
    }

    // MARK: Values

    @Test func `once each has a value, every value brings the latest of the others`() {
        let recorder = subscribe()
        a.send(1)
        a.send(2)
        #expect(recorder.values == [])
        b.send("x")
        b.send("y")
        a.send(3)
        #expect(recorder.values == ["2x", "2y", "3y"])
    }

    @Test func `three and four publishers`() {
        let last = PassthroughSubject<Int, Never>()
        let three = Recorder<[Int], Never>()
        let four = Recorder<[Int], Never>()
        Publishers.CombineLatest3(Just(1), [2, 3].publisher, last).map { [$0, $1, $2] }.watched().subscribe(three)
        Just(1).combineLatest(Just(2), last, last) { [$0, $1, $2, $3] }.watched().subscribe(four)
        last.send(4)
        last.send(5)
        last.send(completion: .finished)
        #expect(three.signals == [.value([1, 3, 4]), .value([1, 3, 5]), .finished])
        #expect(four.signals == [.value([1, 2, 4, 4]), .value([1, 2, 5, 4]), .value([1, 2, 5, 5]), .finished])
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

    @Test func `a combination without demand is lost, and its values go into the next one`() {
        let recorder = subscribe(requesting: .max(1))
        a.send(1)
        b.send("x")
        b.send("y")
        #expect(recorder.values == ["1x"])
        recorder.request(.max(1))
        #expect(recorder.values == ["1x"])
        a.send(2)
        #expect(recorder.values == ["1x", "2y"])
    }

    // MARK: The end

    @Test func `it finishes when all have finished`() {
        let recorder = subscribe()
        a.send(1)
        a.send(completion: .finished)
        b.send("x")
        #expect(recorder.signals == [.value("1x")])
        b.send(completion: .finished)
        #expect(recorder.signals == [.value("1x"), .finished])
    }

    @Test func `it finishes when one finishes that never sent, and cancels the others`() {
        let recorder = subscribe()
        a.send(1)
        b.send(completion: .finished)
        #expect(recorder.signals == [.finished])
        #expect(a.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `a failure ends it at once and cancels the others`() {
        let recorder = subscribe()
        a.send(1)
        b.send("x")
        a.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value("1x"), .failure("oops")])
        #expect(b.events == [.requested(.unlimited), .cancelled])
        b.send("y")
        #expect(recorder.signals == [.value("1x"), .failure("oops")])
    }

    @Test func `an end that comes while it subscribes is told after the subscription`() {
        let recorder = Recorder<Int, Never>()
        Empty<Int, Never>().combineLatest(Just(1)) { $0 + $1 }.watched().subscribe(recorder)
        #expect(recorder.events == [.subscription("CombineLatest"), .finished])
    }

    @Test func `cancelling cancels every publisher, once`() {
        let recorder = subscribe()
        recorder.cancel()
        recorder.cancel()
        #expect(a.events == [.requested(.unlimited), .cancelled])
        #expect(b.events == [.requested(.unlimited), .cancelled])
    }

    // MARK: Re-entrancy

    @Test func `what is sent from inside of a value arrives before that send returns`() {
        let recorder = subscribe()
        recorder.onValue = { [b] value in
            if value == "1x" {
                b.send("y")
                #expect(recorder.values == ["1x", "1y"])
            }
            return .none
        }
        a.send(1)
        b.send("x")
        a.send(2)
        #expect(recorder.values == ["1x", "1y", "2y"])
    }

    @Test func `finishing from inside of a value ends it after that value`() {
        let recorder = subscribe()
        recorder.onValue = { [a, b] _ in
            a.send(completion: .finished)
            b.send(completion: .finished)
            return .max(1)
        }
        a.send(1)
        b.send("x")
        #expect(recorder.signals == [.value("1x"), .finished])
    }

    @Test func `a value that goes when it is replaced may send`() {
        final class Sender {
            let action: () -> Void
            init(_ action: @escaping () -> Void) { self.action = action }
            deinit { action() }
        }
        let senders = PassthroughSubject<Sender?, Never>()
        let numbers = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>()
        senders.combineLatest(numbers) { $1 }.watched().subscribe(recorder)
        senders.send(Sender { numbers.send(2) })
        numbers.send(1)
        senders.send(nil)
        #expect(recorder.values == [1, 1, 2])
    }

    // MARK: Description and lifetime

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: a.combineLatest(b)) == SelfDescription("CombineLatest"))
    }

    @Test func `publishers that are equal make equal combinations`() {
        #expect(Just(1).combineLatest(Just(2)) == Just(1).combineLatest(Just(2)))
        #expect(Just(1).combineLatest(Just(2), Just(3)) != Just(1).combineLatest(Just(2), Just(4)))
        #expect(
            Just(1).combineLatest(Just(2), Just(3), Just(4))
                == Publishers.CombineLatest4(Just(1), Just(2), Just(3), Just(4)))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.combineLatest(subject.map { _ in ObjectIdentifier(witness) }) { a, _ in a }.eraseToAnyPublisher()
        }
    }
}
