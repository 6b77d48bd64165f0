import Combine
import Testing

@Suite struct MapTests {
    @Test func `Each value is turned into another`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<String, Oops>(requesting: .max(2), perValue: .max(3))
        upstream.map { "\($0)" }.subscribe(recorder)
        #expect(upstream.send(1) == .max(3))
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.events == [.subscription("ProbeSubscription"), .value("1"), .failure("oops")])
        #expect(upstream.events == [.requested(.max(2))])
    }

    @Test func `Nothing is left of a chain of maps`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.map { value -> Int in
                _ = witness
                return value
            }.eraseToAnyPublisher()
        }
    }
}
