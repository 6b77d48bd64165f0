extension Future where Failure == Never {
    /// The future's value, once it is there.
    public final var value: Output {
        get async {
            switch await outcome {
            case .success(let output): return output
            }
        }
    }
}

extension Future {
    /// The future's value, once it is there, or its failure.
    public final var value: Output {
        get async throws { try await outcome.get() }
    }

    private final var outcome: Result<Output, Failure> {
        get async {
            await withUnsafeContinuation { continuation in
                subscribe(FutureSubscriber(continuation))
            }
        }
    }
}

/// Passes one result to the task that awaits it.
private final class FutureSubscriber<Input, Failure: Error>: Subscriber {
    private let continuation: UnsafeContinuation<Result<Input, Failure>, Never>

    init(_ continuation: UnsafeContinuation<Result<Input, Failure>, Never>) {
        self.continuation = continuation
    }

    func receive(subscription: any Subscription) {
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        continuation.resume(returning: .success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let error) = completion {
            continuation.resume(returning: .failure(error))
        }
    }
}
