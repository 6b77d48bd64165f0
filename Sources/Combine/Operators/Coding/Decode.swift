extension Publishers {
    /// Sends what each document says.
    public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
    where Upstream.Output == Coder.Input {
        public typealias Failure = any Error

        /// Where the documents come from.
        public let upstream: Upstream

        private let decode: (Upstream.Output) throws -> Output

        public init(upstream: Upstream, decoder: Coder) {
            self.upstream = upstream
            decode = { try decoder.decode(Output.self, from: $0) }
        }

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == any Error {
            upstream.subscribe(CodingStage("Decode", decode, subscriber))
        }
    }
}

extension Publisher {
    /// Sends what each document says, and fails where it cannot be read.
    public func decode<Item, Coder>(type: Item.Type, decoder: Coder) -> Publishers.Decode<Self, Item, Coder>
    where Item: Decodable, Coder: TopLevelDecoder, Self.Output == Coder.Input {
        Publishers.Decode(upstream: self, decoder: decoder)
    }
}
