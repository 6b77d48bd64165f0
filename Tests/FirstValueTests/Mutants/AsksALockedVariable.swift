// mutant: asks a variable again and again whether something has come, with a lock
// fails: FirstValueTests/aWaitBlocksNoThread()
// hint: FirstValueTests/aWaitBlocksNoThread() blocks.polls
import Combine
import Foundation

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

private final class Box<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value?
    var value: Value? {
        get { lock.withLock { stored } }
        set { lock.withLock { if stored == nil { stored = newValue } } }
    }
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            let box = Box<Output>()
            let cancellable = first().sink { box.value = $0 }
            defer { cancellable.cancel() }
            while true {
                if let value = box.value { return value }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            let box = Box<Result<Output, any Error>>()
            let cancellable = first().sink(
                receiveCompletion: {
                    switch $0 {
                    case .finished: box.value = .failure(FirstValueError.finishedWithoutValue)
                    case .failure(let error): box.value = .failure(error)
                    }
                }, receiveValue: { box.value = .success($0) })
            defer { cancellable.cancel() }
            while true {
                try Task.checkCancellation()
                if let result = box.value { return try result.get() }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}
