// Compiled with every submission, as part of its module: what stands here comes before what the submission imports.
//
// An import that does not say its level would contradict a submission's that says one.
public import Dispatch
public import Foundation

typealias DispatchSpecificKey<T> = Checked.DispatchSpecificKey<T>
typealias pthread_mutex_t = Checked.PosixMutex
typealias pthread_mutexattr_t = Checked.PosixMutexAttributes
typealias pthread_rwlock_t = Checked.PosixReadWriteLock
typealias pthread_cond_t = Checked.PosixCondition

// Functions would only be two more overloads.
let withTaskGroup = Checked.WithTaskGroup()
let withThrowingTaskGroup = Checked.WithThrowingTaskGroup()
let withDiscardingTaskGroup = Checked.WithDiscardingTaskGroup()
let withThrowingDiscardingTaskGroup = Checked.WithThrowingDiscardingTaskGroup()
let withUnsafeCurrentTask = Checked.WithUnsafeCurrentTask()

extension String {
    init(format: __shared String, _ arguments: any CVarArg...) {
        self = Checked.formattedSafely(format, arguments)
    }
    init(format: __shared String, arguments: __shared [any CVarArg]) {
        self = Checked.formattedSafely(format, arguments)
    }
    init(format: __shared String, locale: __shared Locale?, _ arguments: any CVarArg...) {
        self = Checked.formattedSafely(format, arguments, locale: locale)
    }
    init(format: __shared String, locale: __shared Locale?, arguments: __shared [any CVarArg]) {
        self = Checked.formattedSafely(format, arguments, locale: locale)
    }
    static func localizedStringWithFormat(_ format: String, _ arguments: any CVarArg...) -> String {
        Checked.formattedSafely(format, arguments, locale: Locale.current)
    }
}

func NSLog(_ format: String, _ arguments: any CVarArg...) {
    Checked.logSafely(format, arguments)
}
