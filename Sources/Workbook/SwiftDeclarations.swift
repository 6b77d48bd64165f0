/// The functions, initializers and computed properties of a Swift source that stand in no other one.
///
/// It reads any text, and each word of it once. What it does not understand it does not find.
struct SwiftDeclarations {
    struct Declaration: Equatable {
        /// `merge`; `init` for an initializer.
        var name: String
        /// With the labels of its arguments, if it may have some: `merge(_:)`.
        var fullName: String
        /// The name of the type that it stands in, or all that is said of the extension.
        var owner: [String]
        /// Its words from the opening brace to the closing one.
        var body: [String]

        /// What the extension around it asks for.
        var constraints: [String] { Array(owner.drop { $0 != "where" }.dropFirst()) }
    }

    let words: [String]
    private(set) var all: [Declaration] = []

    /// In words. No declaration of a stub comes near this.
    private static let longestHead = 500

    private enum Scope {
        case owner([String])
        case declaration(Declaration, start: Int)
        case other
    }

    init(_ source: [UInt8]) {
        words = SwiftTokens.words(of: source)
        var scopes: [Scope] = []
        // What the next brace opens.
        var next = Scope.other
        var parentheses = 0
        for (index, word) in words.enumerated() {
            switch word {
            case "(", "[": parentheses += 1
            case ")", "]": parentheses -= 1
            case "{":
                scopes.append(parentheses == 0 ? next : .other)
                if case .declaration(let found, _) = next, parentheses == 0 {
                    scopes[scopes.count - 1] = .declaration(found, start: index)
                }
                if parentheses == 0 { next = .other }
            case "}":
                if case .declaration(var found, let start)? = scopes.popLast() {
                    found.body = Array(words[start...index])
                    all.append(found)
                }
                if parentheses == 0 { next = .other }
            default:
                guard parentheses == 0, let owner = Self.owner(scopes.last ?? .owner([])) else { continue }
                if let begun = begin(word, at: index, in: owner, next) { next = begun }
            }
        }
    }

    private static func owner(_ scope: Scope) -> [String]? {
        if case .owner(let owner) = scope { owner } else { nil }
    }

    /// What the next brace opens after this word; `nil` where the word changes nothing.
    private func begin(_ word: String, at index: Int, in owner: [String], _ next: Scope) -> Scope? {
        let following = index + 1 < words.count ? words[index + 1] : ""
        switch word {
        case "extension": return .owner(Array(words[(index + 1)...].prefix(Self.longestHead).prefix { $0 != "{" }))
        case "struct", "class", "actor", "enum":
            return following.first?.isLetter == true ? .owner([following]) : nil
        case "func", "init":
            let name = word == "init" ? word : following
            let labels = labels(after: index).map { $0 + ":" }.joined()
            return .declaration(
                Declaration(name: name, fullName: "\(name)(\(labels))", owner: owner, body: []), start: index)
        case "var":
            return .declaration(
                Declaration(name: following, fullName: following, owner: owner, body: []), start: index)
        case "=":
            // A stored property's value.
            if case .declaration(let found, _) = next, found.name == found.fullName { return .other }
            return nil
        case "protocol", "let", "case", "typealias", "deinit", "subscript", "import": return .other
        default: return nil
        }
    }

    /// The labels in the first parentheses behind a place.
    private func labels(after place: Int) -> [String] {
        // A submission may hold any number of words that look like a declaration without an end.
        let words = words[place...].prefix(Self.longestHead)
        guard var index = words.firstIndex(of: "(") else { return [] }
        var labels: [String] = []
        var depth = 0
        repeat {
            switch words[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            default: break
            }
            let colons = words[min(index + 2, words.endIndex)...].prefix(2)
            if depth == 1, ["(", ","].contains(words[index]), colons.contains(":") { labels.append(words[index + 1]) }
            index += 1
        } while depth > 0 && index < words.endIndex
        return labels
    }
}
