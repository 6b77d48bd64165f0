/// `for await` in a test would wait forever where the sequence does not end, and cannot be watched from outside.
///
/// A loop over an asynchronous sequence, in a task of its own, that records its values and whether it has ended. The
/// sequence is made in that task, so that nothing else keeps it alive.
///
///     let loop = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
///     publisher.send(7)
///     try await loop.received(1)
public final class Loop<Element: Sendable>: Sendable {
    private struct State {
        var values: [Element] = []
        var isEnded = false
    }

    private let state = Observed(State())
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - handle: What the body of the loop does with each value: as long as it takes, no other is asked for.
    ///   - gate: Keeps the iterator after the end of the loop, until it is opened.
    public init<Values: AsyncSequence>(
        handling handle: @escaping @Sendable (Element) async -> Void = { _ in }, keepingIteratorUntil gate: Gate? = nil,
        over makeSequence: @escaping @Sendable () -> Values
    ) where Values: SendableMetatype, Values.AsyncIterator: SendableMetatype, Values.Element == Element {
        task = Task { [state] in
            var iterator: Values.AsyncIterator? = makeSequence().makeAsyncIterator()
            do {
                while let value = try await iterator?.next() {
                    state.update { $0.values.append(value) }
                    await handle(value)
                }
            } catch {}  // these sequences do not throw; one that did has ended all the same
            await gate?.passEvenIfCancelled()
            iterator = nil
            state.update { $0.isEnded = true }
        }
    }

    public var values: [Element] { state.value.values }
    public var isEnded: Bool { state.value.isEnded }

    /// Cancels the task that the loop runs in.
    public func cancel() {
        task.cancel()
    }

    /// Waits until so many values have come, or no more can come.
    public func received(_ count: Int) async throws {
        try await state.until { $0.values.count >= count || $0.isEnded }
    }

    /// Waits until the loop has ended.
    public func ended() async throws {
        try await state.until(\.isEnded)
    }
}
