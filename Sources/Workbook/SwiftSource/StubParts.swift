/// The parts of a stub that a learner writes, and which of them a submission still has as the stub has them.
///
/// A part is a function, an initializer or a computed property. `kata.json` names it as short as the stub allows: `merge`,
/// `receive(completion:)`, or `task where Failure == Never` where only the extensions differ.
public struct StubParts: Sendable {
    private let words: [String]
    private let declarations: [SwiftDeclarations.Declaration]

    public init(_ stub: [UInt8]) {
        let found = SwiftDeclarations(stub)
        words = found.words
        declarations = found.all
    }

    /// Whether the name is that of one declaration.
    public func has(_ part: String) -> Bool { declaration(part) != nil }

    /// Those of the parts that have the same words in the submission, comments aside. There are none where the whole
    /// submission does, and what it has elsewhere or in another form counts as written.
    public func unwritten(_ parts: Set<String>, in submission: [UInt8]) -> Set<String> {
        if parts.isEmpty { return [] }
        let found = SwiftDeclarations(submission)
        if found.words == words { return [] }
        return parts.filter { part in
            guard let stub = declaration(part) else { return false }
            let known = declarations.filter { $0.fullName == stub.fullName }
            let named = found.all.filter { $0.fullName == stub.fullName }
            let same = named.filter { $0.owner == stub.owner }
            // One more of the name may be the part itself, written in another type.
            return named.count == known.count && same.count == 1 && same[0].body == stub.body
        }
    }

    /// Those of the parts whose names a submission has in other places than their own declarations: it may call them itself.
    public static func mentioned(_ parts: Set<String>, in submission: [UInt8]) -> Set<String> {
        let found = SwiftDeclarations(submission)
        func baseName(_ part: String) -> String { String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
        return parts.filter { part in
            let name = baseName(part)
            let own = found.all.filter { $0.name == name }
            // Of several parts of one name, each may call the others.
            let isOnly = parts.count { name == baseName($0) } == 1
            let inside = isOnly ? own.reduce(0) { $0 + $1.body.count { $0 == name } } : 0
            return found.words.count { $0 == name } > own.count + inside
        }
    }

    /// The bytes of the name by which a submission declares the part; `nil` where it does not, or not by that name.
    public func place(of part: String, in submission: [UInt8]) -> Range<Int>? {
        guard let stub = declaration(part) else { return nil }
        let named = SwiftDeclarations(submission).all.filter { $0.fullName == stub.fullName }
        return (named.first { $0.owner == stub.owner } ?? named.first).map { Self.place($0, in: submission) }
    }

    /// The same in lines and in bytes from 1, as compilers count.
    public func position(of part: String, in submission: [UInt8]) -> (line: Int, column: Int)? {
        place(of: part, in: submission).map { place in
            let before = submission[..<place.lowerBound]
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            return (1 + before.count { $0 == UInt8(ascii: "\n") }, 1 + place.lowerBound - start)
        }
    }

    /// The bytes of the first name that a submission declares.
    public static func firstPlace(in submission: [UInt8]) -> Range<Int>? {
        SwiftDeclarations(submission).all.min { $0.nameWord < $1.nameWord }.map { place($0, in: submission) }
    }

    private static func place(_ found: SwiftDeclarations.Declaration, in submission: [UInt8]) -> Range<Int> {
        SwiftTokens.placedCodes(of: submission)[found.nameWord].place
    }

    private func declaration(_ part: String) -> SwiftDeclarations.Declaration? {
        let pieces = part.split(separator: " where ", maxSplits: 1).map(String.init)
        guard let name = pieces.first else { return nil }
        let constraints = pieces.dropFirst().first.map { SwiftTokens.words(of: Array($0.utf8)) }
        var found = declarations.filter { $0.name == name || $0.fullName == name }
        if let constraints { found = found.filter { $0.constraints == constraints } }
        // Of several, the name alone is that of the one that asks for nothing.
        if found.count > 1, constraints == nil { found = found.filter { $0.constraints.isEmpty } }
        return found.count == 1 ? found[0] : nil
    }
}
