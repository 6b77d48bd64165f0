/// What a submission's code is built of: a hint about a loop says nothing to somebody who has none.
///
/// It is found by words, in any text, and decides only between hints.
public enum CodeFeature: String, CaseIterable, Sendable {
    case continuation, cancellationHandler
    /// `publisher.values`.
    case values
    /// `for await`.
    case loop
    case stream, taskGroup, asyncLet, task
    /// A `Task { }` inside another task.
    case nestedTask
    /// `await task.value`.
    case taskValue
    case sink, assign, flatMap, first, mapError
    case receiveOn, subject
    /// A type that is a `Subscriber`.
    case subscriber
    /// A type that is a `Publisher`.
    case publisher
    /// `as?`, or a `catch` for errors of one type.
    case cast
    /// Looks at whether a stream has dropped a value.
    case dropped
    /// Finishes a stream.
    case finish
    case actor, lock, queue, semaphore, weak
    /// State that belongs to no object: it stays as long as the program runs.
    case global
    /// A collection to which the code adds, and from which it takes nothing.
    case growing

    /// The features of a source.
    public static func all(in source: [UInt8]) -> Set<CodeFeature> {
        let words = CodeWords(SwiftTokens.words(of: source))
        return Set(allCases.filter(words.show))
    }

    /// The names and phrases, as words, of which one is enough; none for what has to be looked for in another way.
    fileprivate var phrases: [String] {
        switch self {
        case .continuation:
            [
                "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
                "withUnsafeThrowingContinuation",
            ]
        case .cancellationHandler: ["withTaskCancellationHandler"]
        case .values: [". values"]
        case .loop: ["for await", "for try await"]
        case .stream: ["AsyncStream", "AsyncThrowingStream"]
        case .taskGroup:
            [
                "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
                "withThrowingDiscardingTaskGroup",
            ]
        case .asyncLet: ["async let"]
        case .task: ["Task {", "Task (", "Task <", "Task . detached"]
        case .sink: [". sink", "sink ("]
        case .assign: [". assign", "assign ("]
        case .flatMap: ["flatMap"]
        case .first: ["first (", "prefix ("]
        case .mapError: ["mapError", "setFailureType"]
        case .receiveOn: ["receive ( on"]
        case .subject: ["PassthroughSubject", "CurrentValueSubject"]
        case .subscriber: [": Subscriber", ", Subscriber"]
        case .publisher: [": Publisher", ", Publisher"]
        case .cast: ["as ?", "as !", "catch let error as", "catch is"]
        case .dropped: ["dropped"]
        case .finish: ["finish ("]
        case .actor: ["actor"]
        case .lock: ["NSLock", "NSRecursiveLock", "Mutex", "OSAllocatedUnfairLock", "withLock", "pthread_mutex_lock"]
        case .queue: ["DispatchQueue"]
        case .semaphore: ["DispatchSemaphore", "DispatchGroup", "NSCondition"]
        case .weak: ["weak", "unowned"]
        case .nestedTask, .taskValue, .global, .growing: []
        }
    }
}

/// The words of a source, to look for what it is built of.
private struct CodeWords {
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    func show(_ feature: CodeFeature) -> Bool {
        switch feature {
        case .nestedTask: hasNestedTask
        case .taskValue: waitsForATask
        case .global: hasGlobalState
        case .growing: hasGrowingCollection
        default: feature.phrases.contains { has($0.split(separator: " ").map(String.init)) }
        }
    }

    private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

    private func has(_ phrase: [String]) -> Bool {
        words.indices.contains { start in phrase.indices.allSatisfy { word(start + $0) == phrase[$0] } }
    }

    private func beginsTask(_ index: Int) -> Bool {
        switch word(index) {
        // Behind an arrow, a colon or a bracket it is the type that is named.
        case "Task" where ![">", ":", "<", "["].contains(word(index - 1)):
            ["{", "(", "<"].contains(word(index + 1)) || word(index + 2) == "detached"
        case "addTask", "addTaskUnlessCancelled": true
        default: false
        }
    }

    private var hasNestedTask: Bool {
        var scopes: [Bool] = []
        var isPending = false
        for index in words.indices {
            switch words[index] {
            case "{":
                scopes.append(isPending)
                isPending = false
            case "}":
                // A `Task` in the arguments of something else opens nothing.
                isPending = false
                _ = scopes.popLast()
            default:
                guard beginsTask(index) else { continue }
                if words[index] == "Task", scopes.contains(true) { return true }
                isPending = true
            }
        }
        return false
    }

    private var waitsForATask: Bool {
        words.indices.contains { index in
            words[index] == "." && ["value", "result"].contains(word(index + 1))
                && words[max(0, index - 5)..<index].contains("await")
        }
    }

    private var hasGlobalState: Bool {
        var depth = 0
        for index in words.indices {
            switch words[index] {
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            case "var", "let":
                let before = words[max(0, index - 3)..<index]
                guard depth == 0 || before.contains("static") else { continue }
                if isState(index) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether a declaration stores what can change: a variable, or a collection of any kind behind a constant.
    private func isState(_ declaration: Int) -> Bool {
        let beginnings: Set = ["func", "var", "let", "class", "struct", "enum", "actor", "extension", "public", "private"]
        let rest = words[(declaration + 2)...].prefix { !beginnings.contains($0) }
        let braces = rest.firstIndex(of: "{") ?? rest.endIndex
        let equals = rest.firstIndex(of: "=") ?? rest.endIndex
        // A computed property stores nothing.
        if braces < equals { return false }
        return words[declaration] == "var"
            || rest.prefix { $0 != "{" }.contains { ["[", "Array", "Dictionary", "Set"].contains($0) }
    }

    private var hasGrowingCollection: Bool {
        let adding: Set = ["append", "insert", "updateValue"]
        let grown = Set(
            words.indices.compactMap { index -> String? in
                guard word(index + 1) == ".", adding.contains(word(index + 2)), word(index + 3) == "(" else {
                    return nil
                }
                return words[index]
            })
        return grown.contains { name in !words.indices.contains { takes(from: name, at: $0) } }
    }

    /// Whether the collection gets smaller here, or is another one from here on.
    private func takes(from name: String, at index: Int) -> Bool {
        guard words[index] == name else { return false }
        switch word(index + 1) {
        case ".": return ["remove", "pop", "drop"].contains { word(index + 2).hasPrefix($0) }
        case "=": return word(index + 2) != "=" && !["var", "let"].contains(word(index - 1))
        case "[":
            let closing = words[index...].firstIndex(of: "]") ?? index
            return word(closing + 1) == "=" && word(closing + 2) == "nil"
        default: return false
        }
    }
}
