import Combine
import Testing

@Suite struct MappingTests {
    private struct Point: Equatable {
        var x = 1
        var y = 2
        var z = 3
    }

    /// The parts of a point that key paths pick.
    private struct Triple: Equatable {
        var x: Int
        var y: Int
        var z: Int
    }

    @Test func `Key paths pick properties`() {
        let subject = PassthroughSubject<Point, Never>()
        let (one, two, three) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Triple, Never>())
        subject.map(\.x).subscribe(one)
        subject.map(\.x, \.y).map { $0.0 + $0.1 }.subscribe(two)
        subject.map(\.x, \.y, \.z).map { Triple(x: $0, y: $1, z: $2) }.subscribe(three)
        subject.send(Point())
        #expect(one.values == [1])
        #expect(two.values == [3])
        #expect(three.values == [Triple(x: 1, y: 2, z: 3)])
    }

    @Test func `What tryMap throws ends the chain, upstream first`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>(requesting: .max(3), perValue: .max(1))
        var order: [String] = []
        upstream.subscription?.onCancel = { order.append("cancelled") }
        recorder.onCompletion = { _ in order.append("completed") }
        upstream.tryMap { value in
            if value > 1 { throw Oops("too much") }
            return value
        }.subscribe(recorder)
        #expect(upstream.send(1) == .max(1))
        #expect(upstream.send(2) == .none)
        upstream.send(completion: .finished)
        #expect(recorder.events == [.subscription("TryMap"), .value(1), .failure("too much")])
        #expect(upstream.events == [.requested(.max(3)), .cancelled])
        #expect(order == ["cancelled", "completed"])
    }

    @Test func `A failure from upstream is a failure downstream`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        upstream.tryMap { $0 }.subscribe(recorder)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(upstream.events == [.requested(.unlimited)])
    }

    @Test func `A second subscription is cancelled`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        upstream.tryMap { $0 }.subscribe(recorder)
        let second = ProbeSubscription()
        upstream.send(subscription: second)
        #expect(second.events == [.cancelled])
        #expect(recorder.events == [.subscription("TryMap")])
    }

    @Test func `No completion passes a cancelled stage, and nothing is requested through it`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>(requesting: nil)
        upstream.tryMap { $0 }.subscribe(recorder)
        recorder.cancel()
        recorder.cancel()
        recorder.request(.max(1))
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.cancelled])
    }

    @Test func `A failure is turned into another, and into any type where there is none`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        upstream.mapError { Oops($0.name + "!") }.subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value(1), .failure("oops!")])
        let never = Recorder<Int, Oops>()
        Just(1).eraseToAnyPublisher().setFailureType(to: Oops.self).subscribe(never)
        #expect(never.signals == [.value(1), .finished])
    }

    @Test func `Scan sends each result`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(2), perValue: .max(1))
        upstream.scan(10) { $0 + $1 }.subscribe(recorder)
        #expect(upstream.send(1) == .max(1))
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(recorder.events == [.subscription("ProbeSubscription"), .value(11), .value(13), .finished])
        #expect(upstream.events == [.requested(.max(2))])
    }

    @Test func `What tryScan throws ends the chain`() throws {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        upstream.tryScan(0) { sum, value in
            if value < 0 { throw Oops("negative") }
            return sum + value
        }.subscribe(recorder)
        upstream.send(1)
        let labels = Mirror(reflecting: try #require(recorder.subscription)).children.map { $0.label }
        #expect(labels == ["downstream", "status", "result"])
        upstream.send(-1)
        #expect(recorder.events == [.subscription("TryScan"), .value(1), .failure("negative")])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `Nil is replaced`() {
        let subject = PassthroughSubject<Int?, Never>()
        let recorder = Recorder<Int, Never>()
        subject.replaceNil(with: 0).subscribe(recorder)
        subject.send(1)
        subject.send(nil)
        #expect(recorder.values == [1, 0])
    }

    @Test func `Maps in a row are one stage`() {
        let maps = PassthroughSubject<Int, Never>().map { $0 + 1 }.map { "\($0)" }
        #expect(type(of: maps) == Publishers.Map<PassthroughSubject<Int, Never>, String>.self)
        let tries = PassthroughSubject<Int, Never>().map { $0 + 1 }.tryMap { "\($0)" }
        #expect(type(of: tries) == Publishers.TryMap<PassthroughSubject<Int, Never>, String>.self)
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.tryMap { value -> Int in
                _ = witness
                return value
            }.scan(0) {
                _ = witness; return $0 + $1
            }.mapError {
                _ = witness; return $0
            }
            .replaceError(with: 0).eraseToAnyPublisher()
        }
    }
}
