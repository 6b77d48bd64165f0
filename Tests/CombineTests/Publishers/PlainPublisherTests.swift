import Combine
import Testing

@Suite struct PlainPublisherTests {
    @Test func `Just sends its value when it is asked for, and ends`() {
        let recorder = Recorder<Int, Never>(requesting: nil)
        Just(7).subscribe(recorder)
        #expect(recorder.events == [.subscription("Just")])
        recorder.request(.max(5))
        recorder.request(.max(5))
        #expect(recorder.signals == [.value(7), .finished])
        #expect(Just(7) == Just(7))
    }

    @Test func `Just that was cancelled sends nothing`() {
        let recorder = Recorder<Int, Never>(requesting: nil)
        Just(7).subscribe(recorder)
        recorder.cancel()
        recorder.request(.max(1))
        #expect(recorder.signals == [])
    }

    @Test func `Empty ends at once or never`() {
        let (ending, open) = (Recorder<Int, Oops>(), Recorder<Int, Oops>())
        Empty(outputType: Int.self, failureType: Oops.self).subscribe(ending)
        Empty(completeImmediately: false).subscribe(open)
        #expect(ending.events == [.subscription("Empty"), .finished])
        #expect(open.events == [.subscription("Empty")])
    }

    @Test func `Fail fails at once`() {
        let recorder = Recorder<Int, Oops>(requesting: nil)
        Fail(outputType: Int.self, failure: Oops()).subscribe(recorder)
        #expect(recorder.events == [.subscription("Empty"), .failure("oops")])
    }

    @Test func `Deferred makes a publisher for each subscriber`() {
        var count = 0
        let deferred = Deferred { () -> Just<Int> in
            count += 1
            return Just(count)
        }
        #expect(count == 0)
        let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
        deferred.subscribe(first)
        deferred.subscribe(second)
        #expect(first.values == [1])
        #expect(second.values == [2])
    }

    @Test func `An optional sends its value, or ends`() {
        let (some, none) = (Recorder<Int, Never>(), Recorder<Int, Never>())
        Optional(1).publisher.subscribe(some)
        Int?.none.publisher.subscribe(none)
        #expect(some.events == [.subscription("Optional"), .value(1), .finished])
        #expect(none.events == [.subscription("Empty"), .finished])
    }

    @Test func `A result sends its value, or fails`() {
        let (good, bad) = (Recorder<Int, Oops>(), Recorder<Int, Oops>(requesting: nil))
        Result<Int, Oops>.success(1).publisher.subscribe(good)
        Result<Int, Oops>.Publisher(Oops()).subscribe(bad)
        #expect(good.events == [.subscription("Once"), .value(1), .finished])
        #expect(bad.events == [.subscription("Empty"), .failure("oops")])
    }

    @Test func `A record replays what it received, as it is asked for`() {
        let record = Record<Int, Oops> { recording in
            recording.receive(1)
            recording.receive(2)
            recording.receive(completion: .failure(Oops()))
        }
        let recorder = Recorder<Int, Oops>(requesting: .max(1))
        record.subscribe(recorder)
        #expect(recorder.events == [.subscription("[1, 2]"), .value(1)])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(2), .failure("oops")])
    }

    @Test func `A publisher that hides another passes the subscriber on`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        let erased = upstream.eraseToAnyPublisher()
        erased.subscribe(recorder)
        #expect(upstream.subscriber?.combineIdentifier == recorder.combineIdentifier)
        #expect(erased.description == "AnyPublisher")
    }

    @Test func `Operators on what is known are known`() {
        #expect(Just(2).map { $0 * 2 } == Just(4))
        #expect(Just(2).filter { $0 > 2 } == Int?.none.publisher)
        #expect(Just(2).contains(2) == Just(true))
        #expect(Just(2).count() == Just(1))
        #expect(Just(2).append(3, 4) == [2, 3, 4].publisher)
        #expect(Just(2).prepend([0, 1]) == [0, 1, 2].publisher)
        #expect(Just(2).scan(1, +) == Result<Int, Never>.success(3).publisher)
        #expect(Optional(2).publisher.map { $0 * 2 } == Optional(4).publisher)
        #expect(Int?.none.publisher.replaceEmpty(with: 3) == Just(3))
        #expect([1, 2, 3].publisher.count() == Just(3))
        #expect([1, 2, 3].publisher.map { $0 * 2 } == [2, 4, 6].publisher)
        #expect([1, 1, 2].publisher.removeDuplicates() == [1, 2].publisher)
        #expect([1, 2].publisher.first() == Optional(1).publisher)
        #expect([1, 2].publisher.output(at: 5) == Int?.none.publisher)
        #expect([1, 2].publisher.prepend(0).append(3) == [0, 1, 2, 3].publisher)
        #expect((1...3).publisher.reduce(0, +) == Result<Int, Never>.success(6).publisher)
    }
}
