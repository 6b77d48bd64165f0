import Combine
import Foundation
import Synchronization
import Testing

/// An operator that ends by itself does so on the thread of whichever value ends it. Its completion overtakes no value that
/// another thread hands down meanwhile.
@Suite struct EndFromAnotherThreadTests {
    /// Operators that hand down several values at once. They pass 1 and 2, and 3 ends them.
    enum Passing: String, CaseIterable {
        case prefix, output, prefixWhile, tryPrefixWhile, tryPrefixWhileThrowing, tryMap, tryCompactMap, tryFilter,
            tryScan
        case tryRemoveDuplicates, encode, decode, prefixUntilOutput

        func callAsFunction(_ numbers: some Publisher<Int, any Error>) -> AnyPublisher<Int, any Error> {
            switch self {
            case .prefix: numbers.prefix(2).eraseToAnyPublisher()
            case .output: numbers.output(in: 0...1).eraseToAnyPublisher()
            case .prefixWhile: numbers.prefix { $0 < 3 }.eraseToAnyPublisher()
            case .tryPrefixWhile: numbers.tryPrefix { $0 < 3 }.eraseToAnyPublisher()
            case .tryPrefixWhileThrowing: numbers.tryPrefix { try refuse3($0) > 0 }.eraseToAnyPublisher()
            case .tryMap: numbers.tryMap(refuse3).eraseToAnyPublisher()
            case .tryCompactMap: numbers.tryCompactMap(refuse3).eraseToAnyPublisher()
            case .tryFilter: numbers.tryFilter { try refuse3($0) > 0 }.eraseToAnyPublisher()
            case .tryScan: numbers.tryScan(0) { try refuse3($1) }.eraseToAnyPublisher()
            case .tryRemoveDuplicates: numbers.tryRemoveDuplicates { try $0 == refuse3($1) }.eraseToAnyPublisher()
            case .encode: numbers.encode(encoder: Refusing3()).eraseToAnyPublisher()
            case .decode: numbers.decode(type: Int.self, decoder: Refusing3()).eraseToAnyPublisher()
            case .prefixUntilOutput:
                numbers.filter { $0 < 3 }
                    .prefix(untilOutputFrom: numbers.filter { $0 == 3 }.replaceError(with: 0)).eraseToAnyPublisher()
            }
        }
    }

    /// Operators that hand down one event after the other. The value 1 comes out, and 2 and 3 end them.
    enum Serial: String, CaseIterable {
        case prefixOfOne, outputAt, first, firstWhere, tryFirstWhere, contains, containsWhere, tryContainsWhere,
            tryAllSatisfy
        case flatMap, merge, switchToLatest, zip, combineLatest, buffer, timeout

        func callAsFunction(_ numbers: some Publisher<Int, any Error>) -> AnyPublisher<Int, any Error> {
            switch self {
            case .prefixOfOne: numbers.prefix(1).eraseToAnyPublisher()
            case .outputAt: numbers.output(at: 0).eraseToAnyPublisher()
            case .first: numbers.first().eraseToAnyPublisher()
            case .firstWhere: numbers.first { $0 > 0 }.eraseToAnyPublisher()
            case .tryFirstWhere: numbers.tryFirst { try refuse3($0) > 0 }.eraseToAnyPublisher()
            case .contains: numbers.contains(1).map { $0 ? 1 : 0 }.eraseToAnyPublisher()
            case .containsWhere: numbers.contains { $0 == 1 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
            case .tryContainsWhere:
                numbers.tryContains { try refuse3($0) == 1 }.map { $0 ? 1 : 0 }.eraseToAnyPublisher()
            case .tryAllSatisfy: numbers.tryAllSatisfy { try refuse3($0) > 1 }.map { $0 ? 0 : 1 }.eraseToAnyPublisher()
            case .flatMap: numbers.flatMap { oneOrOops($0) }.eraseToAnyPublisher()
            case .merge:
                numbers.filter { $0 == 1 }.merge(with: numbers.filter { $0 > 1 }.flatMap { oneOrOops($0) })
                    .eraseToAnyPublisher()
            case .switchToLatest: numbers.map { oneOrOops($0) }.switchToLatest().eraseToAnyPublisher()
            case .zip:
                numbers.filter { $0 == 1 }.zip(numbers.flatMap { oneOrOops($0) }).map(\.0).eraseToAnyPublisher()
            case .combineLatest:
                numbers.filter { $0 == 1 }.combineLatest(numbers.flatMap { oneOrOops($0) }).map(\.0)
                    .eraseToAnyPublisher()
            case .buffer:
                numbers.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { Oops() }).eraseToAnyPublisher()
            case .timeout:
                numbers.filter { $0 == 1 }.timeout(
                    .seconds(1), scheduler: TimeIsUpAt3(numbers), customError: { Oops() }
                ).eraseToAnyPublisher()
            }
        }
    }

    @Test(arguments: Passing.allCases)
    func `The end waits for the last value that is being handed down`(of kind: Passing) {
        let subject = PassthroughSubject<Int, any Error>()
        let subscriber = WaitingSubscriber(waitsIn: [1, 2])
        kind(subject).subscribe(subscriber)
        let threads = [1, 2].map { subscriber.receive($0, from: subject) }
        subject.send(3)
        #expect(subscriber.log == ["1 begins", "2 begins"])
        subscriber.goOn(in: 2, on: threads[1])
        #expect(subscriber.log == ["1 begins", "2 begins", "2 ends"])
        subscriber.goOn(in: 1, on: threads[0])
        #expect(subscriber.log == ["1 begins", "2 begins", "2 ends", "1 ends", "the end"])
    }

    @Test(arguments: Serial.allCases) func `The end waits for a value`(of kind: Serial) {
        let subject = PassthroughSubject<Int, any Error>()
        let subscriber = WaitingSubscriber(waitsIn: [1])
        kind(subject).subscribe(subscriber)
        let thread = subscriber.receive(1, from: subject)
        subject.send(2)
        subject.send(3)
        #expect(subscriber.log == ["1 begins"])
        subscriber.goOn(in: 1, on: thread)
        #expect(subscriber.log == ["1 begins", "1 ends", "the end"])
    }

    @Test func `A subscriber may wait in a value until another thread has sent the last`() {
        let subject = PassthroughSubject<Int, any Error>()
        let subscriber = WaitingSubscriber()
        subscriber.inside = { value in
            if value == 1 { onAnotherThread { subject.send(2) } }
        }
        subject.prefix(2).subscribe(subscriber)
        subject.send(1)
        #expect(subscriber.log == ["1 begins", "2 begins", "2 ends", "1 ends", "the end"])
    }

    @Test func `What a subscriber sends from inside of a value ends it there`() {
        let subject = PassthroughSubject<Int, any Error>()
        let subscriber = WaitingSubscriber()
        subscriber.inside = { value in
            if value == 1 { subject.send(2) }
        }
        subject.prefix(2).subscribe(subscriber)
        subject.send(1)
        #expect(subscriber.log == ["1 begins", "2 begins", "2 ends", "the end", "1 ends"])
    }

    @Test(arguments: Passing.allCases)
    func `A subscriber that cancels in a value receives no end after it`(of kind: Passing) {
        let subject = PassthroughSubject<Int, any Error>()
        let subscriber = WaitingSubscriber()
        subscriber.inside = { value in
            guard value == 1 else { return }
            onAnotherThread {
                subject.send(2)
                subject.send(3)
            }
            subscriber.cancel()
        }
        kind(subject).subscribe(subscriber)
        subject.send(1)
        #expect(subscriber.log == ["1 begins", "2 begins", "2 ends", "1 ends"])
    }
}

/// Writes down what it receives, and waits in some values until the test lets it go on.
private final class WaitingSubscriber: Subscriber {
    private struct Wait {
        let begun = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
    }

    private let waits: [Int: Wait]
    private let lines = Mutex<[String]>([])
    private var subscription: (any Subscription)?
    var inside: (Int) -> Void = { _ in }

    init(waitsIn values: [Int] = []) {
        waits = Dictionary(uniqueKeysWithValues: values.map { ($0, Wait()) })
    }

    var log: [String] { lines.withLock { $0 } }

    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        note("\(input) begins")
        waits[input]?.begun.signal()
        inside(input)
        waits[input]?.mayGoOn.wait()
        note("\(input) ends")
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) { note("the end") }

    func cancel() { subscription?.cancel() }

    /// Sends a value on a thread of its own, and returns once it is being received. What is returned is signalled when the
    /// thread is done.
    func receive(_ value: Int, from subject: PassthroughSubject<Int, any Error>) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            subject.send(value)
            done.signal()
        }
        waits[value]?.begun.wait()
        return done
    }

    func goOn(in value: Int, on thread: DispatchSemaphore) {
        waits[value]?.mayGoOn.signal()
        thread.wait()
    }
}

@Sendable private func refuse3(_ number: Int) throws -> Int {
    if number == 3 { throw Oops() }
    return number
}

private func oneOrOops(_ number: Int) -> AnyPublisher<Int, any Error> {
    Result { if number > 1 { throw Oops() } else { number } }.publisher.eraseToAnyPublisher()
}

private struct Refusing3: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> Int { try refuse3(value as? Int ?? 3) }

    func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
        guard let value = try refuse3(number) as? T else { throw Oops("not a number") }
        return value
    }
}

/// Runs everything at once, and what it should run later with the number 3.
private final class TimeIsUpAt3: Scheduler {
    typealias SchedulerTimeType = VirtualScheduler.SchedulerTimeType
    typealias SchedulerOptions = VirtualScheduler.SchedulerOptions

    private var later: () -> Void = {}
    private var numbers: AnyCancellable?

    init(_ numbers: some Publisher<Int, any Error>) {
        self.numbers = numbers.filter { $0 == 3 }.sink(receiveCompletion: { _ in }) { [unowned self] _ in later() }
    }

    let now = SchedulerTimeType(nanoseconds: 0)
    let minimumTolerance: SchedulerTimeType.Stride = 0

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) { later = action }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        later = action
        return AnyCancellable {}
    }
}
