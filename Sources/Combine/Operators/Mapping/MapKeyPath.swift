extension Publisher {
    /// Turns each value into its property.
    public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
        .init(upstream: self, keyPath: keyPath)
    }

    /// Turns each value into two of its properties.
    public func map<T0, T1>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
    ) -> Publishers.MapKeyPath2<Self, T0, T1> {
        .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
    }

    /// Turns each value into three of its properties.
    public func map<T0, T1, T2>(
        _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
    ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
        .init(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
    }
}

extension Publishers {
    /// What `map` with a key path returns.
    public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath: KeyPath<Upstream.Output, Output>

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(Inner(downstream: subscriber, keyPath: keyPath))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            typealias Failure = Upstream.Failure

            let downstream: Downstream
            let keyPath: KeyPath<Upstream.Output, Output>
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive(input[keyPath: keyPath])
            }

            var description: String { "ValueForKey" }

            var customMirror: Mirror {
                let children: [Mirror.Child] = [("keyPath", keyPath)]
                return Mirror(self, children: children)
            }
        }
    }

    /// What `map` with two key paths returns.
    public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
        public typealias Output = (Output0, Output1)
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        public let keyPath1: KeyPath<Upstream.Output, Output1>

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(Inner(downstream: subscriber, keyPath0: keyPath0, keyPath1: keyPath1))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            typealias Failure = Upstream.Failure

            let downstream: Downstream
            let keyPath0: KeyPath<Upstream.Output, Output0>
            let keyPath1: KeyPath<Upstream.Output, Output1>
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive((input[keyPath: keyPath0], input[keyPath: keyPath1]))
            }

            var description: String { "ValueForKeys" }

            var customMirror: Mirror {
                let children: [Mirror.Child] = [("keyPath0", keyPath0), ("keyPath1", keyPath1)]
                return Mirror(self, children: children)
            }
        }
    }

    /// What `map` with three key paths returns.
    public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
        public typealias Output = (Output0, Output1, Output2)
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let keyPath0: KeyPath<Upstream.Output, Output0>
        public let keyPath1: KeyPath<Upstream.Output, Output1>
        public let keyPath2: KeyPath<Upstream.Output, Output2>

        public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, Failure == S.Failure {
            upstream.subscribe(
                Inner(downstream: subscriber, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
            typealias Failure = Upstream.Failure

            let downstream: Downstream
            let keyPath0: KeyPath<Upstream.Output, Output0>
            let keyPath1: KeyPath<Upstream.Output, Output1>
            let keyPath2: KeyPath<Upstream.Output, Output2>
            let combineIdentifier = CombineIdentifier()

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                downstream.receive((input[keyPath: keyPath0], input[keyPath: keyPath1], input[keyPath: keyPath2]))
            }

            var description: String { "ValueForKeys" }

            var customMirror: Mirror {
                let children: [Mirror.Child] = [("keyPath0", keyPath0), ("keyPath1", keyPath1), ("keyPath2", keyPath2)]
                return Mirror(self, children: children)
            }
        }
    }
}
