import Combine
import Testing

@Suite struct SequencePublisherTests {
    @Test func `Elements are sent as they are asked for, and the end with the last`() {
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        [1, 2, 3].publisher.subscribe(recorder)
        #expect(recorder.events == [.subscription("[1, 2, 3]"), .value(1)])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .finished])
    }

    @Test func `An empty sequence ends at once`() {
        let recorder = Recorder<Int, Never>(requesting: nil)
        [Int]().publisher.subscribe(recorder)
        #expect(recorder.events == [.subscription("Empty"), .finished])
    }

    @Test func `What is requested from inside of a value comes after it`() {
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        var depth = 0
        recorder.onValue = { [unowned recorder] value in
            depth += 1
            #expect(depth == 1)
            if value < 3 { recorder.request(.max(1)) }
            depth -= 1
            return .none
        }
        (1...5).publisher.subscribe(recorder)
        #expect(recorder.values == [1, 2, 3])
    }

    @Test func `What a value is answered counts`() {
        let recorder = Recorder<Int, Never>(requesting: .max(1), perValue: .max(1))
        (1...5).publisher.subscribe(recorder)
        #expect(recorder.signals.last == .finished)
        #expect(recorder.values == [1, 2, 3, 4, 5])
    }

    @Test func `Cancelling from inside of a value stops it`() {
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { [unowned recorder] value in
            if value == 2 { recorder.cancel() }
            return .none
        }
        (1...5).publisher.subscribe(recorder)
        #expect(recorder.signals == [.value(1), .value(2)])
        #expect(recorder.subscription.map { String(describing: $0) } == "Sequence")
    }

    @Test func `An endless sequence gives only what is asked for`() {
        let recorder = Recorder<Int, Never>(requesting: .max(3))
        Publishers.Sequence<PartialRangeFrom<Int>, Never>(sequence: 1...).subscribe(recorder)
        #expect(recorder.values == [1, 2, 3])
        recorder.cancel()
    }

    @Test func `Its subscription shows what it has`() throws {
        let recorder = Recorder<Int, Never>(requesting: nil)
        [1, 2].publisher.subscribe(recorder)
        let mirror = Mirror(reflecting: try #require(recorder.subscription))
        #expect(mirror.children.map { $0.label } == ["sequence"])
    }
}
