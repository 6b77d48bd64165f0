extension Publishers {
    /// Sends each value as a document.
    public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher where Upstream.Output: Encodable {
        public typealias Failure = any Error
        public typealias Output = Coder.Output

        /// Where the values come from.
        public let upstream: Upstream

        private let encode: (Upstream.Output) throws -> Coder.Output

        public init(upstream: Upstream, encoder: Coder) {
            self.upstream = upstream
            encode = encoder.encode
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Coder.Output == S.Input, S.Failure == any Error {
            upstream.subscribe(CodingStage("Encode", encode, subscriber))
        }
    }
}

extension Publisher where Output: Encodable {
    /// Sends each value as a document, and fails if a value cannot be encoded.
    public func encode<Coder>(encoder: Coder) -> Publishers.Encode<Self, Coder> where Coder: TopLevelEncoder {
        Publishers.Encode(upstream: self, encoder: encoder)
    }
}
