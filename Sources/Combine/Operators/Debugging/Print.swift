extension Publisher {
    /// Writes down everything that passes by.
    @inlinable
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        .init(upstream: self, prefix: prefix, to: stream)
    }
}

extension Publishers {
    /// What `print` returns.
    public struct Print<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// What every line begins with.
        public let prefix: String
        public let upstream: Upstream
        /// Where the lines go; to the console where it is nil.
        public let stream: (any TextOutputStream)?

        @inlinable
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), prefix: prefix, stream: stream))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SingleUpstreamStage, Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let prefix: String
            @usableFromInline var stream: (any TextOutputStream)?

            @inlinable
            init(downstream: Downstream, prefix: String, stream: (any TextOutputStream)?) {
                self.downstream = downstream
                self.prefix = prefix.isEmpty ? "" : "\(prefix): "
                self.stream = stream
            }

            @inlinable
            func receive(subscription: any Subscription) {
                log("receive subscription: (\(subscription))")
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                log("receive value: (\(input))")
                let more = downstream.receive(input)
                if let count = more.max {
                    if count > 0 { log("request max: (\(count)) (synchronous)") }
                } else {
                    log("request unlimited (synchronous)")
                }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                switch completion {
                case .finished: log("receive finished")
                case .failure(let error): log("receive error: (\(error))")
                }
                _ = end()
                downstream.receive(completion: completion)
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                log(demand.max.map { "request max: (\($0))" } ?? "request unlimited")
                subscription?.request(demand)
            }

            @inlinable
            func cancel() {
                log("receive cancel")
                endAndCancel()
            }

            @inlinable
            func log(_ text: String) {
                // A stream that is a value changes with what is written to it; one that is an object may be shared.
                let current = lock { stream }
                guard let current else {
                    Swift.print(prefix + text)
                    return
                }
                let written = write(prefix + text, to: current)
                lock { stream = written }
            }

            @inlinable
            func write<Stream: TextOutputStream>(_ line: String, to stream: Stream) -> any TextOutputStream {
                var stream = stream
                Swift.print(line, to: &stream)
                return stream
            }

            @usableFromInline
            var description: String { "Print" }
        }
    }
}
