import Synchronization

extension Sequence {
    /// A publisher of this sequence's elements.
    @inlinable
    public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}

extension Publishers {
    /// A publisher of a sequence's elements, each as it is asked for.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        public typealias Output = Elements.Element

        /// What is sent.
        public let sequence: Elements

        @inlinable
        public init(sequence: Elements) {
            self.sequence = sequence
        }

        @inlinable
        public func receive<S>(subscriber: S) where Failure == S.Failure, S: Subscriber, Elements.Element == S.Input {
            var iterator = sequence.makeIterator()
            guard let first = iterator.next() else {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .finished)
                return
            }
            let inner = Inner(sequence, first: first, rest: iterator, downstream: subscriber)
            subscriber.receive(subscription: inner)
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscription, StageDescription
        where Downstream.Input == Elements.Element, Downstream.Failure == Failure {
            @usableFromInline let lock = Lock()
            @usableFromInline let isOver = Atomic<Bool>(false)
            @usableFromInline @exclusivity(unchecked) var demand = Subscribers.Demand.none
            @usableFromInline @exclusivity(unchecked) var isSending = false
            /// A request comes through a protocol, and so to the code that knows no types; this leads back.
            @usableFromInline let send: (Inner) -> Void
            @usableFromInline @exclusivity(unchecked) var sequence: Elements?
            @usableFromInline @exclusivity(unchecked) var downstream: Downstream?
            /// What is still to be sent. The call that sends owns it, and may call the sequence's code without the lock.
            @usableFromInline @exclusivity(unchecked) var next: Elements.Element?
            @usableFromInline @exclusivity(unchecked) var iterator: Elements.Iterator?

            @inlinable
            init(_ sequence: Elements, first: Elements.Element, rest: Elements.Iterator, downstream: Downstream) {
                self.sequence = sequence
                self.downstream = downstream
                next = first
                iterator = rest
                send = { $0.sendAsDemanded() }
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                guard demand > .none else { return }
                lock.lock()
                self.demand += demand
                let mustSend = !isSending
                isSending = true
                lock.unlock()
                if mustSend {
                    send(self)
                }
            }

            @inlinable
            func sendAsDemanded() {
                lock.lock()
                guard let downstream, let first = next, var iterator else {
                    isSending = false
                    lock.unlock()
                    return
                }
                self.iterator = nil
                var current = first
                while self.demand > .none {
                    var demand = self.demand
                    self.demand = .none
                    lock.unlock()
                    while demand > .none, !isOver.load(ordering: .acquiring) {
                        let following = iterator.next()
                        demand -= 1
                        demand += downstream.receive(current)
                        guard let following else {
                            if release() {
                                downstream.receive(completion: .finished)
                            }
                            return
                        }
                        current = following
                    }
                    lock.lock()
                    if isOver.load(ordering: .relaxed) { break }
                }
                isSending = false
                if !isOver.load(ordering: .relaxed) {
                    next = current
                    self.iterator = iterator
                }
                lock.unlock()
            }

            @inlinable
            func cancel() {
                _ = release()
            }

            /// Lets go of everything. Returns false where that was done before.
            @inlinable
            func release() -> Bool {
                lock.lock()
                let released = (sequence, downstream, next, iterator)
                isOver.store(true, ordering: .releasing)
                sequence = nil
                downstream = nil
                next = nil
                iterator = nil
                lock.unlock()
                return released.1 != nil
            }

            @usableFromInline
            var description: String {
                lock { sequence }.map { String(describing: $0) } ?? "Sequence"
            }

            @usableFromInline
            var mirrorChildren: [Mirror.Child] {
                [("sequence", lock { sequence }.map { $0 as Any } ?? [Elements.Element]())]
            }
        }
    }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
