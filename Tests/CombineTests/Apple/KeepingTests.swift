import Combine
import Foundation
import Testing

/// Which objects are kept, how values describe themselves, and how they are encoded: the same as Apple's.
@Suite struct KeepingTests {
    @Test func `a connection does not keep the subject`() {
        let upstream = ProbePublisher<Int, Never>()
        weak var left: PassthroughSubject<Int, Never>?
        let connection: any Cancellable
        do {
            let subject = PassthroughSubject<Int, Never>()
            left = subject
            connection = upstream.multicast(subject: subject).connect()
        }
        #expect(left == nil)
        connection.cancel()
    }

    @Test func `a future is kept by its subscription until its subscriber has heard of the end`() {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        let recorder = Recorder<Int, Never>()
        future.subscribe(recorder)
        func parentIsThere() -> Bool {
            recorder.subscription.map { Mirror(reflecting: $0) }?.children.first { $0.label == "parent" }
                .map { "\($0.value)" != "nil" } ?? false
        }
        var wasThere = false
        recorder.onCompletion = { _ in wasThere = parentIsThere() }
        promise?(.success(1))
        #expect(wasThere)
        #expect(!parentIsThere())
    }

    @Test func `one request is enough to be told of every change of an object`() {
        let changes = ObservableObjectPublisher()
        var count = 0
        changes.subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { _ in
                    count += 1
                    return .none
                }))
        for _ in 1...3 { changes.send() }
        #expect(count == 3)
    }

    @Test func `a property keeps its own publisher, whatever its projection is assigned`() {
        final class Model {
            @Published var name: String
            init(_ name: String) { self.name = name }
        }
        let (one, other) = (Model("one"), Model("other"))
        one.$name = other.$name
        other.name = "changed"
        #expect(one.name == "one")
    }

    @Test func `a subscription through autoconnect passes for the upstream's`() throws {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: nil)
        subject.makeConnectable().autoconnect().subscribe(recorder)
        #expect(recorder.events == [.subscription("Multicast")])
        let subscription: Any = try #require(recorder.subscription)
        #expect(!(subscription is any CustomReflectable))
    }

    @Test func `the subscriptions of delay, of prefix(untilOutputFrom:) and of a timer have no name`() throws {
        for publisher in [
            Just(Date()).delay(for: 1, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher(),
            Just(Date()).prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).eraseToAnyPublisher(),
            Timer.publish(every: 1, on: .main, in: .default).eraseToAnyPublisher(),
        ] {
            let recorder = Recorder<Date, Never>(requesting: nil)
            publisher.subscribe(recorder)
            let subscription: Any = try #require(recorder.subscription)
            #expect(!(subscription is any CustomStringConvertible))
            recorder.cancel()
        }
    }

    @Test func `a timer forgets the tolerance that it is published with`() {
        #expect(Timer.publish(every: 1, tolerance: 2, on: .main, in: .default).tolerance == nil)
    }

    @Test func `what is collected is counted in its mirror, and a child of flatMap tells of its parent`() throws {
        #expect(
            try SelfDescription(of: ProbePublisher<Int, Never>().collect())
                == SelfDescription("Collect", labels: ["count"]))
        #expect(
            try SelfDescription(of: ProbePublisher<Int, Never>().removeDuplicates())
                == SelfDescription("RemoveDuplicates", labels: ["downstream", "last"]))
    }

    @Test func `a record is written down under its recording`() throws {
        struct Failure: Error, Codable {}
        let record = Record<Int, Failure>(output: [1, 2], completion: .finished)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let document = try encoder.encode(record)
        #expect(
            String(decoding: document, as: UTF8.self)
                == #"{"recording":{"completion":{"success":true},"output":[1,2]}}"#)
        let read = try JSONDecoder().decode(Record<Int, Failure>.self, from: document)
        #expect(read.recording.output == [1, 2])
    }

    @Test func `a demand that is too great is unlimited, and one that is too small is nothing`() throws {
        let tooGreat = Data("[\(UInt.max)]".utf8)
        #expect(try JSONDecoder().decode([Subscribers.Demand].self, from: tooGreat) == [.unlimited])
        #expect(Subscribers.Demand.max(.max) - (-1) == .none)
    }

    @Test func `operators that need no stage ask what they were given all the same`() {
        #expect(throws: Oops.self) {
            try Just(1).tryRemoveDuplicates { _, _ in throw Oops() }.result.get()
        }
        #expect(throws: Oops.self) {
            try Result<Int, Never>.success(1).publisher.tryMin { _, _ in throw Oops() }.result.get()
        }
        #expect(Just(1).output(in: 0..<0).output == 1)
        #expect(Just(1).output(in: -1...1).output == nil)
    }
}
