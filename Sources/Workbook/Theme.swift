/// What a robust test is about. The robust tests of a kata are mastered theme by theme.
public enum Theme: String, Codable, Sendable, CaseIterable {
    /// Who cancels what, and from when to when something runs.
    case cancellation
    /// Only the newest request counts.
    case latest
    /// Errors and the end of a stream.
    case errors
    case demand
    /// Threads that meet or are blocked, and code that calls itself again.
    case threads
    /// What is released, and when.
    case memory
    /// Each call, each subscriber and each object has a state of its own.
    case independence
    /// Values arrive as they are, all and in their order.
    case values
    /// How and when published properties change.
    case updates
}

/// How far a kata's tests of one theme are.
public struct ThemeProgress: Codable, Sendable, Equatable {
    public var theme: Theme
    public var passed: Int
    public var tests: Int

    public var isComplete: Bool { passed == tests }
}

extension Verdict {
    /// Each theme of the kata, in the order in which its tests come.
    public func themes(in kata: Kata) -> [ThemeProgress] {
        let passed = Set(tests.lazy.filter { $0.outcome == .passed }.map(\.id))
        return kata.themes.map { theme in
            let tests = kata.tests.filter { $0.theme == theme }
            return ThemeProgress(theme: theme, passed: tests.count { passed.contains($0.id) }, tests: tests.count)
        }
    }

    /// What a learner should look at now: while a core test fails, all that no other failure explains; then those of the
    /// first open theme.
    public func nextFailures(in kata: Kata) -> [KataTest] {
        let roots = rootFailures(in: kata)
        guard outcome == .passed, let theme = roots.first?.theme else { return roots }
        return roots.filter { $0.theme == theme }
    }
}

extension Kata {
    /// The themes of its tests, each where its first test comes.
    public var themes: [Theme] {
        var seen: [Theme] = []
        for case let theme? in tests.map(\.theme) where !seen.contains(theme) { seen.append(theme) }
        return seen
    }
}
