/// What a submission's code is built of: a hint about a loop does not help where there is none.
///
/// It is found by words, in any text, and decides only between hints. What is one word in the code, such as `flatMap`, needs no
/// name here: a rule names the word itself.
public enum CodeFeature: String, CaseIterable, Sendable {
    case continuation
    /// `for await`.
    case loop
    case stream, taskGroup, task
    /// A `Task { }` inside another task.
    case nestedTask
    /// `await task.value`.
    case taskValue
    /// `receive(on:)`.
    case receiveOn
    /// A type that is a `Subscriber`.
    case subscriber
    /// A type that is a `Publisher`.
    case publisher
    case lock, queue, semaphore
    /// `as?`, or a `catch` for errors of one type.
    case cast
    /// State that belongs to no object: it stays as long as the program runs.
    case global
    /// A collection to which the code adds, and from which it takes nothing.
    case growing

    /// Those of the names that a source has: of features, and of words.
    public static func found(in source: [UInt8], of names: Set<String>) -> [String] {
        let words = CodeWords(SwiftTokens.words(of: source))
        return names.filter { name in CodeFeature(rawValue: name).map(words.show) ?? words.has([name]) }.sorted()
    }

    /// The names and phrases, as words, of which one is enough; none for what has to be looked for in another way.
    fileprivate var phrases: [String] {
        switch self {
        case .continuation:
            [
                "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
                "withUnsafeThrowingContinuation",
            ]
        case .loop: ["for await", "for try await"]
        case .stream: ["AsyncStream", "AsyncThrowingStream"]
        case .taskGroup:
            [
                "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup",
                "withThrowingDiscardingTaskGroup",
            ]
        case .task: ["Task {", "Task (", "Task <", "Task . detached"]
        case .receiveOn: ["receive ( on"]
        case .subscriber: [": Subscriber", ", Subscriber"]
        case .publisher: [": Publisher", ", Publisher"]
        case .lock: ["NSLock", "NSRecursiveLock", "Mutex", "OSAllocatedUnfairLock", "withLock", "pthread_mutex_lock"]
        case .queue: ["DispatchQueue"]
        case .semaphore: ["DispatchSemaphore", "DispatchGroup", "NSCondition"]
        case .cast: ["as ?", "as !", "catch let error as", "catch is"]
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

    func has(_ phrase: [String]) -> Bool {
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
        let beginnings: Set = [
            "func", "var", "let", "class", "struct", "enum", "actor", "extension", "public", "private",
        ]
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
