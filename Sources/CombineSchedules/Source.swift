import Combine
import Schedules

struct Broken: Error {}

/// A publisher without any lock, so that it keeps no two threads apart that its operator should keep apart. Each thread sends
/// what it is told to, where there is demand.
final class Source<Output>: Publisher {
    typealias Failure = Broken

    private(set) var hasEnded = false
    /// How many values had demand.
    private(set) var accepted = 0
    private var lines: [Line] = []
    private let isLate: Bool
    private var connectLater: [() -> Void] = []

    /// One that is late hands out its subscriptions when it is told to.
    init(isLate: Bool = false) {
        self.isLate = isLate
    }

    /// Whether a subscriber has taken a subscription.
    var isConnected: Bool { !lines.isEmpty }
    /// Whether no subscription goes on.
    var isLeft: Bool { lines.allSatisfy { $0.isOver } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Broken {
        let line = Line(subscriber)
        let connect = {
            subscriber.receive(subscription: line)
            quietly { self.lines.append(line) }
        }
        if isLate { quietly { connectLater.append(connect) } } else { connect() }
    }

    func connect() {
        let connections = quietly {
            defer { connectLater = [] }
            return connectLater
        }
        connections.forEach { $0() }
    }

    func send(_ value: Output) {
        let receivers = quietly {
            let receivers = lines.filter { !$0.isOver && $0.demand > 0 }
            for line in receivers where line.demand < .max / 2 { line.demand -= 1 }
            accepted += receivers.isEmpty ? 0 : 1
            return receivers
        }
        for line in receivers {
            let more = line.receive(value)
            quietly { line.add(more) }
        }
    }

    func finish() { end(.finished) }
    func fail() { end(.failure(Broken())) }

    private func end(_ completion: Subscribers.Completion<Broken>) {
        let receivers = quietly {
            let receivers = lines.filter { !$0.isOver }
            hasEnded = true
            for line in receivers { line.isOver = true }
            return receivers
        }
        for line in receivers { line.end(completion) }
    }

    private final class Line: Subscription {
        let receive: (Output) -> Subscribers.Demand
        let end: (Subscribers.Completion<Broken>) -> Void
        var demand = 0
        var isOver = false

        init(_ subscriber: some Subscriber<Output, Broken>) {
            receive = { subscriber.receive($0) }
            end = { subscriber.receive(completion: $0) }
        }

        func add(_ more: Subscribers.Demand) {
            demand = more.max.map { Swift.min(demand + $0, .max / 2) } ?? .max / 2
        }

        func request(_ demand: Subscribers.Demand) {
            schedules_pause()
            quietly { add(demand) }
        }

        func cancel() {
            schedules_pause()
            quietly { isOver = true }
        }
    }
}
