// mutant: takes a nil that was sent for no value yet
// fails: FirstValueTests/nilIsAValue()
// hint: FirstValueTests/nilIsAValue() nil
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            for await value in first().values {
                return value
            }
            preconditionFailure("a publisher that sends no value has no first one")
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            for try await value in filter({ ($0 as? any MaybeNothing)?.isNothing != true }).first().values {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}

private protocol MaybeNothing { var isNothing: Bool { get } }

extension Optional: MaybeNothing {
    fileprivate var isNothing: Bool { if case .none = self { true } else { false } }
}
