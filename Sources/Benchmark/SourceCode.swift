import Workbook

/// A Swift source as words, with the brackets and statements that it has, for changes that a program makes.
///
/// It reads what people write and not all of Swift: the benchmark lets the compiler parse what comes of it.
struct SourceCode {
    enum Block { case type, function, accessors, control, choice, closure }

    let bytes: [UInt8]
    let places: [Range<Int>]
    let words: [String]
    /// By the place of the bracket that opens: the one that closes.
    private(set) var closing: [Int: Int] = [:]
    /// The bracket that each word stands in.
    private(set) var parent: [Int?] = []
    private(set) var beginsLine: [Bool] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        let bytes = bytes
        places = SwiftTokens.placedCodes(of: bytes).map(\.place)
        words = places.map { String(decoding: bytes[$0], as: UTF8.self) }
        var open: [Int] = []
        var read = 0
        for (index, word) in words.enumerated() {
            beginsLine.append(index == 0 || bytes[read..<places[index].lowerBound].contains(UInt8(ascii: "\n")))
            read = places[index].upperBound
            if ["}", ")", "]"].contains(word), let start = open.popLast() { closing[start] = index }
            parent.append(open.last)
            if ["{", "(", "["].contains(word) { open.append(index) }
        }
    }

    func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

    func text(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        return String(decoding: bytes[places[first].lowerBound..<places[last].upperBound], as: UTF8.self)
    }

    // MARK: Statements

    private static let continuing: Set = [
        ".", "?", ":", "&", "|", "+", "-", "*", "/", "<", ">", "=", "%", "^", ",", "(", "[", "else", "catch", "where",
        "as", "is", "{",
    ]
    static let modifiers: Set = [
        "public", "open", "internal", "fileprivate", "private", "final", "static", "nonisolated", "mutating",
        "override",
        "lazy", "weak", "unowned", "required", "convenience", "indirect",
    ]

    func isStart(_ index: Int) -> Bool {
        if let around = parent[index], words[around] != "{" { return false }
        if word(index) == "}" || word(index) == ")" { return false }
        if word(index - 1) == "{" || index == 0 || word(index - 1) == ";" { return true }
        if word(index - 1) == "in", !beginsLine[index] || heads(index - 1) { return heads(index - 1) }
        return beginsLine[index] && !Self.continuing.contains(words[index])
            && !Self.continuing.subtracting(["{", ">", "?"]).contains(word(index - 1)) && !isAttribute(before: index)
    }

    /// Whether an `in` ends the head of a closure.
    private func heads(_ index: Int) -> Bool {
        guard let around = parent[index] else { return false }
        return !words[around..<index].contains("for")
    }

    private func isAttribute(before index: Int) -> Bool {
        word(index - 2) == "@" || Self.modifiers.contains(word(index - 1))
    }

    /// The places of the first words of a block's statements, without the head of a closure.
    func statements(in brace: Int?) -> [Range<Int>] {
        let from = brace.map { bodyStart($0) } ?? 0
        let end = brace.map { closing[$0] ?? words.count } ?? words.count
        guard from < end else { return [] }
        let starts = (from..<end).filter { parent[$0] == brace && ($0 == from || isStart($0)) }
        return zip(starts, starts.dropFirst() + [end]).map { $0..<$1 }
    }

    /// Where the statements of a block begin: behind the parameters of a closure.
    func bodyStart(_ brace: Int) -> Int {
        guard let end = closing[brace] else { return brace + 1 }
        for index in brace + 1..<end where parent[index] == brace {
            if words[index] == "in" { return heads(index) ? index + 1 : brace + 1 }
            if index > brace + 1, beginsLine[index] { break }
        }
        return brace + 1
    }

    /// Where the statement begins that a word stands in.
    func start(of index: Int) -> Int {
        var index = index
        let around = parent[index]
        while index > 0, index > (around ?? -1) + 1, parent[index] != around || !isStart(index) { index -= 1 }
        return index
    }

    // MARK: Blocks

    var braces: [Int] { words.indices.filter { words[$0] == "{" && closing[$0] != nil } }

    func head(_ brace: Int) -> [String] {
        (start(of: brace)..<brace).filter { parent[$0] == parent[brace] }.map { words[$0] }
    }

    func block(_ brace: Int) -> Block {
        if let around = parent[brace], words[around] != "{" { return .closure }
        let head = head(brace)
        let attributes = Set(zip(head, head.dropFirst()).filter { $0.0 == "@" }.map(\.1))
        let first = head.first { !Self.modifiers.contains($0) && $0 != "@" && !attributes.contains($0) } ?? ""
        if ["struct", "class", "actor", "enum", "protocol", "extension"].contains(first) { return .type }
        if ["func", "init", "deinit", "subscript"].contains(first) { return .function }
        if first == "var", !head.contains("=") {
            return ["get", "set", "willSet", "didSet"].contains(word(brace + 1)) ? .accessors : .function
        }
        if ["get", "set", "willSet", "didSet"].contains(first) { return .function }
        if first == "switch" { return .choice }
        let last = word(brace - 1)
        if ["else", "do", "catch", "repeat", "defer"].contains(last) { return .control }
        if ["if", "guard", "for", "while"].contains(first) || ["else", "catch"].contains(first) {
            return head.contains("=") && first == "let" ? .closure : .control
        }
        return .closure
    }

    // MARK: Changes

    /// Replaces words; a change that lies in another one is not made.
    func replacing(_ changes: [(range: Range<Int>, text: String)]) -> String {
        var result: [UInt8] = []
        var read = 0
        let placed = changes.map { change in
            let start =
                change.range.lowerBound < places.count ? places[change.range.lowerBound].lowerBound : bytes.count
            let end = change.range.isEmpty ? start : places[change.range.upperBound - 1].upperBound
            return (start..<end, change.text)
        }
        // What comes first, and of those that begin together the ones that only add.
        let ordered = placed.enumerated().sorted {
            ($0.element.0.lowerBound, $0.element.0.upperBound, $0.offset)
                < ($1.element.0.lowerBound, $1.element.0.upperBound, $1.offset)
        }
        for (range, text) in ordered.map(\.element) where range.lowerBound >= read {
            result += bytes[read..<range.lowerBound] + Array(text.utf8)
            read = range.upperBound
        }
        return String(decoding: result + bytes[read...], as: UTF8.self)
    }
}
