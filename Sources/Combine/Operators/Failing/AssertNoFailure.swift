extension Publisher {
    /// Traps where the publisher fails, as it must not.
    @inlinable
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        .init(upstream: self, prefix: prefix, file: file, line: line)
    }
}

extension Publishers {
    /// What `assertNoFailure` returns.
    public struct AssertNoFailure<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never

        public let upstream: Upstream
        public let file: StaticString
        public let line: UInt
        /// What the message of the trap begins with.
        public let prefix: String

        @inlinable
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.prefix = prefix
            self.file = file
            self.line = line
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), file: file, line: line, prefix: prefix))
        }

        @usableFromInline
        struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline let downstream: Downstream
            @usableFromInline let file: StaticString
            @usableFromInline let line: UInt
            @usableFromInline let prefix: String
            @usableFromInline let combineIdentifier = CombineIdentifier()

            @inlinable
            init(downstream: Downstream, file: StaticString, line: UInt, prefix: String) {
                self.downstream = downstream
                self.file = file
                self.line = line
                self.prefix = prefix
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                switch completion {
                case .finished:
                    downstream.receive(completion: .finished)
                case .failure(let error):
                    let prefix = self.prefix.isEmpty ? "" : self.prefix + ": "
                    fatalError("\(prefix)\(error)", file: file, line: line)
                }
            }

            @usableFromInline
            var description: String { "AssertNoFailure" }

            @usableFromInline
            var mirrorChildren: [Mirror.Child] { [("file", file), ("line", line), ("prefix", prefix)] }
        }
    }
}
