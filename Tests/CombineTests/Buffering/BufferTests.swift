import Combine
import Testing

@Suite struct BufferTests {
    private func stage(
        _ size: Int, _ prefetch: Publishers.PrefetchStrategy, _ whenFull: Publishers.BufferingStrategy<Oops>,
        requesting demand: Subscribers.Demand?
    ) -> (ProbePublisher<Int, Oops>, Recorder<Int, Oops>) {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: demand)
        upstream.buffer(size: size, prefetch: prefetch, whenFull: whenFull).subscribe(recorder)
        return (upstream, recorder)
    }

    @Test func `By request, everything is asked for, and kept until it is wanted`() {
        let (upstream, recorder) = stage(3, .byRequest, .dropNewest, requesting: nil)
        #expect(upstream.events == [.requested(.unlimited)])
        for value in 1...3 { #expect(upstream.send(value) == .none) }
        #expect(recorder.events == [.subscription("Buffer")])
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        recorder.request(.unlimited)
        upstream.send(4)
        #expect(recorder.values == [1, 2, 3, 4])
        #expect(upstream.events == [.requested(.unlimited)])
    }

    @Test func `Kept full, as much is asked for as there is room`() {
        let (upstream, recorder) = stage(2, .keepFull, .dropNewest, requesting: nil)
        #expect(upstream.events == [.requested(.max(2))])
        upstream.send(1)
        upstream.send(2)
        recorder.request(.max(1))
        #expect(recorder.values == [1])
        #expect(upstream.events == [.requested(.max(2)), .requested(.max(1))])
        upstream.send(3)
        recorder.request(.max(3))
        #expect(recorder.values == [1, 2, 3])
        #expect(upstream.send(4) == .max(1))
        #expect(recorder.values == [1, 2, 3, 4])
    }

    @Test func `A full buffer loses the newest, the oldest, or fails`() {
        let (newestUpstream, newest) = stage(2, .byRequest, .dropNewest, requesting: nil)
        let (oldestUpstream, oldest) = stage(2, .byRequest, .dropOldest, requesting: nil)
        let (failingUpstream, failing) = stage(2, .byRequest, .customError { Oops("full") }, requesting: nil)
        for value in 1...4 {
            newestUpstream.send(value)
            oldestUpstream.send(value)
            failingUpstream.send(value)
        }
        for recorder in [newest, oldest, failing] { recorder.request(.unlimited) }
        #expect(newest.values == [1, 2])
        #expect(oldest.values == [3, 4])
        #expect(failing.signals == [.value(1), .value(2), .failure("full")])
        #expect(failingUpstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `The end waits for what is kept, but a failure does not`() {
        let (upstream, recorder) = stage(2, .byRequest, .dropNewest, requesting: nil)
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
        recorder.request(.max(2))
        #expect(recorder.signals == [.value(1), .finished])
        let (failing, failed) = stage(2, .byRequest, .dropNewest, requesting: nil)
        failing.send(1)
        failing.send(completion: .failure(Oops()))
        #expect(failed.signals == [.failure("oops")])
    }

    @Test func `Values that are sent from inside of a value keep their order`() {
        let (upstream, recorder) = stage(9, .byRequest, .dropNewest, requesting: nil)
        recorder.onValue = { value in
            if value == 1 {
                upstream.send(2)
                upstream.send(3)
                upstream.send(completion: .finished)
            }
            return .none
        }
        recorder.request(.unlimited)
        upstream.send(1)
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .finished])
    }

    @Test func `A cancelled buffer lets go and sends nothing`() {
        let (upstream, recorder) = stage(2, .byRequest, .dropNewest, requesting: nil)
        upstream.send(1)
        recorder.cancel()
        recorder.request(.max(1))
        upstream.send(2)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `Its subscription shows its state`() throws {
        let (upstream, recorder) = stage(2, .byRequest, .dropNewest, requesting: nil)
        upstream.send(1)
        let children = Array(Mirror(reflecting: try #require(recorder.subscription)).children)
        #expect(children.map { $0.label } == ["values", "state", "downstreamDemand", "terminal"])
        #expect(children[0].value as? [Int] == [1])
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Oops>, witness) in
            subject.buffer(
                size: 1, prefetch: .byRequest,
                whenFull: .customError {
                    _ = witness
                    return Oops()
                }
            ).eraseToAnyPublisher()
        }
    }
}
