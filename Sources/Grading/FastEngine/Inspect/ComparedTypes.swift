/// The types of a kata that its suite compares, by what the suite's object needs.
///
/// A learner declares these types, and may write an `==` that is always true: what a suite compares by it, it does not see.
enum ComparedTypes {
    private static let protocols = ["Equatable", "Hashable", "Comparable"]
    private static let functions =
        ["==", "<", "<=", ">", ">="].map { ".\($0) infix(" } + [".hash(into: ", ".hashValue.getter"]

    static func names(in symbols: some Sequence<String>, of kata: String) -> [String] {
        Set(symbols.lazy.compactMap { symbol in demangled(symbol).flatMap { name(in: $0, of: kata) } }).sorted()
    }

    private static func name(in text: String, of kata: String) -> String? {
        let isConformance = protocols.contains { text.hasSuffix(" : Swift.\($0) in \(kata)") }
        let isFunction = functions.contains(where: text.contains)
        // The first name of the kata's own says whose it is, or what a function outside of all types compares.
        guard isConformance || isFunction,
            let names = dottedNames(text).first(where: { $0.count > 1 && $0.first == Substring(kata) })
        else { return nil }
        return names.dropFirst().filter { !["hash", "hashValue", "getter"].contains($0) }.joined(separator: ".")
    }
}
