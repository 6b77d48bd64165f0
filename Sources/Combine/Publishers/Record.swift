/// A publisher that replays values and a completion that were recorded.
public struct Record<Output, Failure: Error>: Publisher {
    /// What it replays.
    public let recording: Recording

    /// What was recorded.
    public struct Recording {
        public typealias Input = Output

        /// The values in their order.
        public private(set) var output: [Output]

        /// The end.
        public private(set) var completion: Subscribers.Completion<Failure>

        private var isComplete = false

        /// An empty recording that is finished until something else is recorded.
        public init() {
            self.init(output: [], completion: .finished, isComplete: false)
        }

        /// A recording of these values and this end.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.init(output: output, completion: completion, isComplete: true)
        }

        fileprivate init(output: [Output], completion: Subscribers.Completion<Failure>, isComplete: Bool) {
            self.output = output
            self.completion = completion
            self.isComplete = isComplete
        }

        /// Adds a value, before the completion.
        public mutating func receive(_ input: Output) {
            precondition(!isComplete, "A recording cannot receive a value after its completion.")
            output.append(input)
        }

        /// Ends the recording, once.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(!isComplete, "A recording cannot receive a second completion.")
            self.completion = completion
            isComplete = true
        }
    }

    /// A publisher of what the closure records.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.init(recording: recording)
    }

    /// A publisher of a recording.
    public init(recording: Recording) {
        self.recording = recording
    }

    /// A publisher of these values and this end.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        self.init(recording: Recording(output: output, completion: completion))
    }

    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        guard !recording.output.isEmpty else {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: recording.completion)
            return
        }
        subscriber.receive(subscription: Inner(recording, downstream: subscriber))
    }

    private final class Inner<Downstream: Subscriber>: Subscription, StageDescription
    where Downstream.Input == Output, Downstream.Failure == Failure {
        private let lock = Lock()
        private let completion: Subscribers.Completion<Failure>
        private var output: [Output]?
        private var downstream: Downstream?
        private var position = 0
        private var demand = Subscribers.Demand.none
        private var isSending = false

        init(_ recording: Recording, downstream: Downstream) {
            output = recording.output
            completion = recording.completion
            self.downstream = downstream
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock.lock()
            self.demand += demand
            guard !isSending else {
                lock.unlock()
                return
            }
            isSending = true
            while self.demand > .none, let output, let downstream {
                self.demand -= 1
                let value = output[position]
                position += 1
                let isLast = position == output.count
                lock.unlock()
                let more = downstream.receive(value)
                if isLast {
                    if release() {
                        downstream.receive(completion: completion)
                    }
                    return
                }
                lock.lock()
                self.demand += more
            }
            isSending = false
            lock.unlock()
        }

        func cancel() {
            _ = release()
        }

        private func release() -> Bool {
            let released = lock { (output.take(), downstream.take()) }
            return released.1 != nil
        }

        var description: String { lock { output }.map { String(describing: $0) } ?? "Cancelled Events" }

        var mirrorChildren: [Mirror.Child] {
            let output = lock { self.output } ?? []
            return [("sequence", output), ("completion", completion)]
        }
    }
}

extension Record: Encodable where Output: Encodable, Failure: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecordKey.self)
        try container.encode(recording, forKey: .recording)
    }
}

extension Record: Decodable where Output: Decodable, Failure: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecordKey.self)
        self.init(recording: try container.decode(Recording.self, forKey: .recording))
    }
}

private enum RecordKey: String, CodingKey {
    case recording
}

private enum RecordingKey: String, CodingKey {
    case output
    case completion
}

extension Record.Recording: Encodable where Output: Encodable, Failure: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encode(into: encoder)
    }

    /// Apple's name for it; `Encodable` asks for `encode(to:)`.
    public func encode(into encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecordingKey.self)
        try container.encode(output, forKey: .output)
        try container.encode(completion, forKey: .completion)
    }
}

extension Record.Recording: Decodable where Output: Decodable, Failure: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecordingKey.self)
        self.init(
            output: try container.decode([Output].self, forKey: .output),
            completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
    }
}
