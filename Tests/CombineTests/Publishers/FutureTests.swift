import Combine
import Testing

@Suite struct FutureTests {
    @Test func `The work begins at once, and its first result counts`() {
        var promise: Future<Int, Oops>.Promise?
        let future = Future<Int, Oops> { promise = $0 }
        #expect(promise != nil)
        let recorder = Recorder<Int, Oops>()
        future.subscribe(recorder)
        #expect(recorder.events == [.subscription("Future")])
        promise?(.success(1))
        promise?(.success(2))
        promise?(.failure(Oops()))
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `The value waits until it is asked for`() {
        let future = Future<Int, Oops> { $0(.success(1)) }
        let recorder = Recorder<Int, Oops>(requesting: nil)
        future.subscribe(recorder)
        #expect(recorder.signals == [])
        recorder.request(.max(1))
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `A failure needs no demand`() {
        var promise: Future<Int, Oops>.Promise?
        let future = Future<Int, Oops> { promise = $0 }
        let (early, late) = (Recorder<Int, Oops>(requesting: nil), Recorder<Int, Oops>(requesting: nil))
        future.subscribe(early)
        promise?(.failure(Oops()))
        future.subscribe(late)
        #expect(early.signals == [.failure("oops")])
        #expect(late.signals == [.failure("oops")])
    }

    @Test func `A cancelled subscriber gets nothing and is let go of`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        weak var left: Recorder<Int, Never>?
        do {
            let recorder = Recorder<Int, Never>()
            left = recorder
            future.subscribe(recorder)
            recorder.cancel()
            promise?(.success(1))
            #expect(recorder.signals == [])
            recorder.letGo()
        }
        #expect(left == nil)
    }

    @Test func `It can be awaited`() async throws {
        #expect(await Future<Int, Never> { $0(.success(1)) }.value == 1)
        #expect(try await Future<Int, Oops> { $0(.success(2)) }.value == 2)
        await #expect(throws: Oops()) {
            try await Future<Int, Oops> { $0(.failure(Oops())) }.value
        }
    }

    @Test func `Its subscription describes itself`() throws {
        let recorder = Recorder<Int, Never>()
        Future<Int, Never> { _ in }.subscribe(recorder)
        let mirror = Mirror(reflecting: try #require(recorder.subscription))
        #expect(
            mirror.children.map { $0.label } == ["parent", "downstream", "hasAnyDemand", "subject"])
    }
}
