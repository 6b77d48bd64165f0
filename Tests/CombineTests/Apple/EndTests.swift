import Combine
import Testing

/// What operators do at their end and after it, where the behavior of Apple's operators is unexpected.
@Suite struct EndTests {
    @Test func `an empty result is waited for like a result`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: nil)
        upstream.last().subscribe(recorder)
        upstream.send(completion: .finished)
        #expect(recorder.events == [.subscription("Last")])
        recorder.request(.max(1))
        #expect(recorder.events == [.subscription("Last"), .finished])
    }

    @Test func `tryMap passes values after it has failed or was cancelled`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, any Error>()
        upstream.tryMap { if $0 == 0 { throw Oops() } else { $0 } }.subscribe(recorder)
        upstream.send(0)
        upstream.send(1)
        upstream.send(0)
        #expect(recorder.signals == [.failure("oops"), .value(1), .failure("oops")])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `replaceEmpty asks for everything, whatever it is asked for`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(2))
        upstream.replaceEmpty(with: 0).subscribe(recorder)
        #expect(upstream.events == [.requested(.max(2)), .requested(.unlimited)])
    }

    @Test func `a buffer finishes where there is demand for one value more`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(1))
        upstream.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value(1)])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `a buffer that has overflowed fails as soon as demand is at its end, and what it kept is lost`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: nil)
        upstream.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { Oops() }).subscribe(recorder)
        for value in 1...4 { upstream.send(value) }
        #expect(recorder.signals == [])
        recorder.request(.max(2))
        #expect(recorder.signals == [.value(1), .value(2), .failure("oops")])
    }

    @Test func `drop(untilOutputFrom:) passes the end of both`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        upstream.drop(untilOutputFrom: Empty<Int, Never>()).subscribe(recorder)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.finished, .finished])
    }

    @Test func `prefix(untilOutputFrom:) ends before its subscription where the other publisher has sent its value`() {
        let upstream = ProbePublisher<Int, Never>(subscription: nil)
        let other = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        upstream.prefix(untilOutputFrom: other).subscribe(recorder)
        other.send(0)
        let subscription = ProbeSubscription()
        upstream.send(subscription: subscription)
        #expect(recorder.events == [.finished])
        #expect(subscription.events == [.cancelled])
        #expect(other.events == [.requested(.max(1))])
    }

    @Test func `a value that is set after the end is kept, one that is sent is not`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        subject.send(completion: .finished)
        subject.send(1)
        #expect(subject.value == 0)
        subject.value = 2
        #expect(subject.value == 2)
    }

    @Test func `append drops a value that was not asked for`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        upstream.append(9).subscribe(recorder)
        upstream.send(1)
        upstream.send(2)
        upstream.send(completion: .finished)
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(9), .finished])
    }

    @Test func `ignoreOutput gives its upstream's subscription, and asks it for everything too`() {
        let upstream = ProbePublisher<Int, Never>()
        let recorder = Recorder<Never, Never>(requesting: .max(2))
        upstream.ignoreOutput().subscribe(recorder)
        #expect(recorder.events == [.subscription("ProbeSubscription")])
        #expect(upstream.events == [.requested(.max(2)), .requested(.unlimited)])
    }
}
