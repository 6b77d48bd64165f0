/// What each rule in `Exercises/Rules.xcstrings` has a text for: its keys are `<rule>.title`, `<rule>.rule` and so on.
public enum RulePart: String, CaseIterable, Sendable {
    case title, rule, code, trap

    public func key(of rule: String) -> String { "\(rule).\(rawValue)" }

    /// The rules that some of the keys are of, in the order of their names.
    public static func rules(in keys: some Sequence<String>) -> [String] {
        Set(keys.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
    }
}
