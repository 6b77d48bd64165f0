import Workbook

/// What a module offers to others, as the compiler prints it in its `.swiftinterface`.
struct ModuleInterface: Equatable {
    /// Every line of a declaration, with the lines that it stands in.
    var declarations: [[String]]
    /// The text without what differs from one compile to the next: part of the key of a suite's object.
    var text: String
    /// Whether something goes on beyond its line, as a default argument may. What it says could look like declarations.
    private var hasLongLines = false
    /// Whether it says some things in two ways, for compilers that know a feature and for others. Each line of both would pass
    /// for a declaration.
    private var hasConditions = false

    init(_ printed: String) { self.init(Array(printed.utf8)) }

    /// A line ends at a line feed, as it does for the compiler, and at nothing else that a text may hold.
    init(_ printed: [UInt8]) {
        var stack: [String] = []
        declarations = []
        var lines: [String] = []
        for bytes in printed.split(separator: UInt8(ascii: "\n")) {
            let line = String(
                decoding: bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }, as: UTF8.self)
            if line.hasPrefix("// swift-") { continue }
            lines.append(line)
            if line.hasPrefix("import ") || line.hasPrefix("@_exported import") { continue }
            if line.hasPrefix("#") { hasConditions = true }
            if Self.mayGoOn(bytes) { hasLongLines = true }
            if line == "}" {
                if !stack.isEmpty { stack.removeLast() }
                continue
            }
            declarations.append(stack + [line])
            if line.hasSuffix("{") { stack.append(line) }
        }
        text = lines.joined(separator: "\n")
    }

    /// Whether a line may go on beyond its end: brackets, quotation marks or backticks are open, or it holds what could hide
    /// that, such as a comment, an interpolation or a character that some take for a line's end.
    private static func mayGoOn(_ line: ArraySlice<UInt8>) -> Bool {
        var round = 0
        var square = 0
        /// What ends the text or the name that is being read.
        var closing: UInt8?
        var rest = line
        while let byte = rest.popFirst() {
            switch byte {
            case 0x00..<0x20, 0x7F: return true
            case 0xC2 where rest.first == 0x85: return true
            case 0xE2 where rest.starts(with: [0x80, 0xA8]) || rest.starts(with: [0x80, 0xA9]): return true
            case _ where byte == closing: closing = nil
            case UInt8(ascii: "\\") where closing == UInt8(ascii: "\""):
                guard let escaped = rest.popFirst(), "nrt0\"'\\u".utf8.contains(escaped) else { return true }
            case _ where closing != nil: break
            case UInt8(ascii: "\""):
                if rest.starts(with: [byte, byte]) { return true }
                closing = byte
            case UInt8(ascii: "`"): closing = byte
            case UInt8(ascii: "/"): return true
            case UInt8(ascii: "#"): if rest.first == UInt8(ascii: "\"") || rest.first == byte { return true }
            case UInt8(ascii: "("): round += 1
            case UInt8(ascii: ")"): round -= 1
            case UInt8(ascii: "["): square += 1
            case UInt8(ascii: "]"): square -= 1
            default: break
            }
        }
        return closing != nil || round != 0 || square != 0
    }

    /// The declarations that `other` lacks. Where there are none, code compiled against this interface links with and runs
    /// against the other: calls across resilient modules go through symbols, and the same declaration has the same symbols
    /// and calling convention.
    func declarations(lackingIn other: ModuleInterface) -> [[String]] {
        if other.hasLongLines || other.hasConditions { return declarations }
        // By their own lines first: those that they stand in may be long, and are the same for many.
        let wanted = Dictionary(grouping: declarations.indices) { declarations[$0].last ?? "" }
        var offered: Set<Int> = []
        for declaration in other.declarations {
            for index in wanted[declaration.last ?? ""] ?? [] where declarations[index] == declaration {
                offered.insert(index)
            }
        }
        return declarations.indices.filter { !offered.contains($0) }.map { declarations[$0] }
    }

    /// What the interface may not have where the suite is compiled against it, since the suite's own object would carry it or
    /// the suite's own expressions would find it.
    var refusedDeclaration: String? {
        for declaration in declarations {
            guard let line = declaration.last else { continue }
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@" || $0 == "#") }
            if words.contains(where: { Self.refusedWords.contains(String($0)) }) { return line }
            if words.contains("operator") || words.contains("precedencegroup") || words.contains("macro") {
                return line
            }
            if let function = line.range(of: "func "), let name = line[function.upperBound...].first,
                !(name.isLetter || name == "_" || name == "`")
            {
                // An operator of a type of the submission's own takes a value of that type; any other could take the suite's.
                guard let owner = declaration.dropLast().last, !owner.contains("extension "), !hasLongLines else {
                    return line
                }
            }
            if words.contains("typealias"), declaration.count == 1 || hasLongLines { return line }
            if line.contains("extension "), line.contains("@retroactive") { return line }
        }
        return nil
    }

    /// `@_implements` is not among them: the compiler writes it itself for asynchronous sequences, and what the learner writes
    /// has been scanned.
    private static let refusedWords: Set<String> = [
        "@inlinable", "@_alwaysEmitIntoClient", "@usableFromInline", "@frozen", "@_transparent", "@_silgen_name",
        "@_cdecl",
        "@abi", "@dynamicMemberLookup", "@dynamicCallable", "@resultBuilder", "@propertyWrapper",
        "@_originallyDefinedIn", "@export",
    ]

    /// The identifiers that a declaration's name and types are made of.
    static func identifiers(_ line: String) -> [Substring] {
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// The name that a line declares.
    static func declaredName(_ line: String) -> String? {
        let words = identifiers(line)
        let kinds: Set<Substring> = [
            "func", "var", "let", "struct", "class", "actor", "enum", "protocol", "typealias", "extension", "case",
        ]
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
            return line.contains("init") ? "init" : line.contains("subscript") ? "subscript" : nil
        }
        // `class func` and the like: the last of the kinds counts.
        var name = kind + 1
        while name < words.count - 1, kinds.contains(words[name]) { name += 1 }
        // `extension Combine.Publisher`: the type, not its module.
        if words[kind] == "extension", line.contains("\(words[name])."), name + 1 < words.count {
            return String(words[name + 1])
        }
        return String(words[name])
    }
}
