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
        /// The place of its name among the words.
        var nameWord: Int

        /// What the extension around it asks for.
        var constraints: [String] { Array(owner.drop { $0 != "where" }.dropFirst()) }
    }

    let words: [String]
    private(set) var all: [Declaration] = []

    private enum Scope {
        case owner([String])
        case declaration(Declaration, start: Int)
        case other
    }

    /// What the next brace opens, which is read when it comes: a text may hold any number of words that begin something.
    private enum Head {
        case type(name: String)
        /// From the word behind `extension`.
        case extended(start: Int)
        /// From `func`, `init` or `var`.
        case declaration(start: Int, owner: [String])
        case other
    }

    init(_ source: [UInt8]) {
        words = SwiftTokens.words(of: source)
        var scopes: [Scope] = []
        var head = Head.other
        var parentheses = 0
        for (index, word) in words.enumerated() {
            switch word {
            case "(", "[": parentheses += 1
            case ")", "]": parentheses -= 1
            case "{":
                scopes.append(parentheses == 0 ? scope(of: head, openedAt: index) : .other)
                if parentheses == 0 { head = .other }
            case "}":
                if case .declaration(var found, let start)? = scopes.popLast() {
                    found.body = Array(words[start...index])
                    all.append(found)
                }
                if parentheses == 0 { head = .other }
            default:
                guard parentheses == 0, let owner = Self.owner(scopes.last ?? .owner([])) else { continue }
                if let begun = begin(word, at: index, in: owner, head) { head = begun }
            }
        }
    }

    private static func owner(_ scope: Scope) -> [String]? {
        if case .owner(let owner) = scope { owner } else { nil }
    }

    private func scope(of head: Head, openedAt brace: Int) -> Scope {
        switch head {
        case .type(let name): return .owner([name])
        case .extended(let start): return .owner(Array(words[start..<brace]))
        case .declaration(let start, let owner):
            let isInitializer = words[start] == "init"
            let nameWord = isInitializer || start + 1 == brace ? start : start + 1
            let name = words[nameWord]
            let labels = Self.labels(in: words[start..<brace]).map { $0 + ":" }.joined()
            let fullName = words[start] == "var" ? name : "\(name)(\(labels))"
            return .declaration(
                Declaration(name: name, fullName: fullName, owner: owner, body: [], nameWord: nameWord), start: brace)
        case .other: return .other
        }
    }

    /// What the next brace opens after this word; `nil` where the word changes nothing.
    private func begin(_ word: String, at index: Int, in owner: [String], _ head: Head) -> Head? {
        let following = index + 1 < words.count ? words[index + 1] : ""
        switch word {
        case "extension": return .extended(start: index + 1)
        case "struct", "class", "actor", "enum":
            return following.first?.isLetter == true ? .type(name: following) : nil
        case "func", "init", "var": return .declaration(start: index, owner: owner)
        case "=":
            // A stored property's value.
            if case .declaration(let start, _) = head, words[start] == "var" { return .other }
            return nil
        case "protocol", "let", "case", "typealias", "deinit", "subscript", "import": return .other
        default: return nil
        }
    }

    /// The labels in the first parentheses.
    private static func labels(in words: ArraySlice<String>) -> [String] {
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
