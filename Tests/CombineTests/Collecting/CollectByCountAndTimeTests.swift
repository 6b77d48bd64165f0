import Combine
import Testing

@Suite struct CollectByCountTests {
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<[Int], Oops>(requesting: .max(2))

    @Test func `Arrays of so many values are sent, and what is left at the end`() {
        upstream.collect(2).watched().subscribe(recorder)
        (1...3).forEach { upstream.send($0) }
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value([1, 2]), .value([3]), .finished])
    }

    @Test func `What is left is dropped by a failure`() {
        upstream.collect(2).watched().subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `Demand is multiplied by the count`() {
        recorder.onValue = { _ in .max(4) }
        upstream.collect(3).watched().subscribe(recorder)
        #expect(upstream.events == [.requested(.max(6))])
        #expect([1, 2, 3].map { upstream.send($0) } == [.none, .none, .max(12)])
    }

    @Test func `No value comes after a cancel, but a completion does`() {
        upstream.collect(2).subscribe(recorder)
        upstream.send(1)
        recorder.cancel()
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.finished])
        #expect(upstream.events == [.requested(.max(4)), .cancelled])
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: upstream.collect(2))
                == SelfDescription(
                    "CollectByCount", labels: ["downstream", "upstreamSubscription", "buffer", "count"]))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in subject.collect(3).eraseToAnyPublisher() }
    }
}

@Suite struct CollectByTimeTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<[Int], Oops>()

    private func subscribe(count: Int? = nil) {
        let strategy: Publishers.TimeGroupingStrategy<VirtualScheduler> =
            if let count { .byTimeOrCount(scheduler, 10, count) } else { .byTime(scheduler, 10) }
        upstream.collect(strategy, options: .init(name: "options")).watched().subscribe(recorder)
    }

    @Test func `The values of each interval are sent at its end`() {
        subscribe()
        for value in 0..<25 {
            scheduler.run(until: value)
            upstream.send(value)
        }
        scheduler.run(until: 30)
        #expect(recorder.values == [Array(0..<10), Array(10..<20), Array(20..<25)])
        #expect(scheduler.events == [.every(after: 10, interval: 10, tolerance: 7, options: "options")])
    }

    @Test func `An interval without values sends nothing`() {
        subscribe()
        scheduler.run(until: 35)
        upstream.send(1)
        scheduler.run(until: 40)
        #expect(recorder.values == [[1]])
    }

    @Test func `So many values are sent before the interval's end`() {
        subscribe(count: 2)
        (1...3).forEach { upstream.send($0) }
        #expect(recorder.values == [[1, 2]])
        scheduler.run(until: 10)
        #expect(recorder.values == [[1, 2], [3]])
    }

    @Test func `What is left is sent at the end`() {
        subscribe()
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value([1]), .finished])
        #expect(scheduler.waiting == 0)
    }

    @Test func `What is left is dropped by a failure`() {
        subscribe()
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `Nothing is sent that was not asked for, and nothing is lost`() {
        recorder.onSubscription = { _ in }
        subscribe()
        upstream.send(1)
        scheduler.run(until: 10)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value([1, 2]), .finished])
    }

    @Test func `What was too much is sent in arrays of so many`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        subscribe(count: 2)
        #expect(upstream.events == [.requested(.max(2))])
        (1...5).forEach { upstream.send($0) }
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value([1, 2])])
        recorder.request(.max(2))
        #expect(recorder.signals == [.value([1, 2]), .value([3, 4]), .value([5]), .finished])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe()
        upstream.send(1)
        recorder.cancel()
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.run(until: 100)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(scheduler.waiting == 0)
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in
            subject.collect(.byTimeOrCount(VirtualScheduler(), 10, 3)).eraseToAnyPublisher()
        }
    }
}
