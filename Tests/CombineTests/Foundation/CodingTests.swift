import Combine
import Foundation
import Testing

@Suite struct CodingTests {
    private struct Person: Codable, Equatable {
        var name: String
    }

    @Test func `Values are sent as documents`() {
        let recorder = Recorder<String, any Error>(requesting: .max(2), perValue: .max(1))
        let upstream = ProbePublisher<Person, Oops>()
        upstream.encode(encoder: JSONEncoder()).map { String(decoding: $0, as: UTF8.self) }.watched()
            .subscribe(recorder)
        #expect(upstream.send(Person(name: "Ada")) == .max(1))
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value(#"{"name":"Ada"}"#), .failure("oops")])
        #expect(upstream.events == [.requested(.max(2))])
    }

    @Test func `Documents are read`() throws {
        let recorder = Recorder<Person, any Error>()
        let upstream = ProbePublisher<Data, Never>()
        upstream.decode(type: Person.self, decoder: JSONDecoder()).watched().subscribe(recorder)
        upstream.send(Data(#"{"name":"Ada"}"#.utf8))
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value(Person(name: "Ada")), .finished])
    }

    @Test func `Property lists are there and back`() {
        let recorder = Recorder<Person, any Error>()
        Just(Person(name: "Ada")).encode(encoder: PropertyListEncoder())
            .decode(type: Person.self, decoder: PropertyListDecoder()).watched().subscribe(recorder)
        #expect(recorder.signals == [.value(Person(name: "Ada")), .finished])
    }

    @Test func `What cannot be read is a failure, and the upstream is cancelled`() {
        let recorder = Recorder<Person, any Error>()
        let upstream = ProbePublisher<Data, Never>()
        upstream.decode(type: Person.self, decoder: JSONDecoder()).watched().subscribe(recorder)
        #expect(upstream.send(Data("nothing".utf8)) == .none)
        upstream.send(Data(#"{"name":"Ada"}"#.utf8))
        upstream.send(completion: .finished)
        #expect(recorder.signals.count == 1)
        guard case .failure = recorder.signals.first else {
            Issue.record("A failure was expected, \(recorder.signals) came.")
            return
        }
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `The subscriptions describe themselves`() throws {
        let labels = ["downstream", "finished", "upstreamSubscription"]
        #expect(
            try SelfDescription(of: ProbePublisher<Int, Oops>().encode(encoder: JSONEncoder()))
                == SelfDescription("Encode", labels: labels))
        #expect(
            try SelfDescription(of: ProbePublisher<Data, Oops>().decode(type: Int.self, decoder: JSONDecoder()))
                == SelfDescription("Decode", labels: labels))
    }

    @Test func `Nothing is left of them`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in
            subject.encode(encoder: JSONEncoder()).decode(type: Int.self, decoder: JSONDecoder()).replaceError(with: 0)
                .eraseToAnyPublisher()
        }
    }
}
