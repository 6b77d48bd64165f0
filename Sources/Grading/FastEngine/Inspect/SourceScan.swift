import Foundation
import Workbook

/// Looks through a submission's text for what reaches out of a kata before anything is compiled.
///
/// The compiler reads the text again, so this need not be a parser: it only has to tell code from comments, strings and
/// regular expressions, and to err towards code. Where that depends on how a `/` is read, both ways are followed; a text in
/// which they lead to different ends is refused.
struct SourceScan {
    /// What was learned of a text that may be compiled.
    struct Findings: Equatable {
        /// The text to compile: `@inlinable` and its like are blank, which mean nothing within one module, and imports of what
        /// a kata may not use but code for several platforms often imports.
        var bytes: [UInt8]
        /// Whether it keeps a lock of the C library behind a pointer.
        var keepsLocksOnHeap = false
        /// Whether it says `withoutActuallyEscaping`.
        var namesEscaping = false
        /// Why what the import that is blank would bring is missing.
        var blankedImport: Rejection?
        /// What no answer that is known to be right needs.
        var reasonsToLook: [ReasonToLook] = []
    }

    /// Underscored attributes that stay within the submission.
    static let harmlessAttributes: Set<String> = [
        "@_unsafeInheritExecutor", "@_disfavoredOverload", "@_implicitSelfCapture", "@_inheritActorContext",
        "@_optimize",
        "@_marker", "@_nonSendable", "@_documentation",
    ]
    /// Attributes without an underscore that reach across modules, into the linker, or past the compiler's checks.
    static let refusedAttributes: Set<String> = [
        "@c", "@cdecl", "@abi", "@export", "@section", "@used",
        "@specialize",
        "@specialized", "@unsafe", "@safe", "@diagnose", "@warn", "@implementation", "@main", "@backDeployed",
        "@exclusivity", "@testable",
    ]
    /// Attributes that promise something to other modules. No other module is compiled with a submission's code, so they
    /// are taken out of what is compiled.
    static let blankedAttributes: Set<String> = ["@inlinable", "@usableFromInline", "@frozen"]
    /// Modules whose import is taken out of what is compiled: it stands, often unused, in code for several platforms.
    static let blankedModules: Set<String> = ["FoundationNetworking"]
    /// What may stand before `import` and goes with it.
    private static let importModifiers: Set<String> = [
        "public", "package", "internal", "fileprivate", "private", "@preconcurrency",
    ]
    /// Names a function of another language as one of Swift's, and nothing that is looked at later can tell. These are found
    /// everywhere but in comments.
    private static let linkNames = ["_silgen_name", "_extern"]
    static let refusedModules: Set<String> = [
        "KataSupport", "Testing", "XCTest", "_TestDiscovery", "_TestingInternals", "_TestingInterop",
        "FoundationNetworking",
        "FoundationXML", "Runtime", "Builtin", "SwiftShims", "_SwiftConcurrencyShims", "Cxx", "CxxStdlib",
        "Distributed", "_Differentiation", "SwiftOnoneSupport",
    ]

    /// What is to be compiled, or the first thing in the text that a kata may not have.
    ///
    /// Takes time in proportion to the text's length, and not more than `seconds`.
    static func findings(in bytes: [UInt8], within seconds: Double = 60) -> Result<Findings, Rejection> {
        var scan = SourceScan(bytes, seconds)
        if let rejection = scan.run() ?? scan.linkName() { return .failure(rejection) }
        var findings = Findings(
            bytes: bytes, keepsLocksOnHeap: scan.keepsLocksOnHeap, namesEscaping: scan.namesEscaping,
            blankedImport: scan.blankedImport, reasonsToLook: scan.reasonsToLook)
        for range in scan.blanks {
            // Every line keeps its number.
            for index in range where bytes[index] > 0x20 { findings.bytes[index] = UInt8(ascii: " ") }
        }
        return .success(findings)
    }

    /// What was found elsewhere, at the first place where the text uses its word; comments and strings don't count.
    static func placed(_ rejection: Rejection, in bytes: [UInt8]) -> Rejection {
        guard rejection.line == 0, let word = rejection.word, let place = place(of: word, in: bytes) else {
            return rejection
        }
        var placed = rejection
        (placed.line, placed.column) = place
        return placed
    }

    static func place(of word: String, in bytes: [UInt8]) -> (line: Int, column: Int)? {
        var scan = SourceScan(bytes, 60)
        scan.wanted = word
        _ = scan.run()
        return scan.place
    }

    static func rejection(_ bytes: [UInt8]) -> Rejection? {
        if case .failure(let rejection) = findings(in: bytes) { rejection } else { nil }
    }

    private func linkName() -> Rejection? {
        for name in Self.linkNames {
            var next = comments[...]
            for range in ranges(of: name) {
                let before = range.lowerBound == 0 ? 0 : bytes[range.lowerBound - 1]
                let after = range.upperBound < bytes.count ? bytes[range.upperBound] : 0
                if Self.isIdentifier(before) || Self.isIdentifier(after) { continue }
                next = next.drop { $0.upperBound <= range.lowerBound }
                if let comment = next.first, comment.contains(range.lowerBound) { continue }
                let lines = bytes[..<range.lowerBound].split(omittingEmptySubsequences: false) { $0 == 10 }
                return Rejection(
                    LocalizableMessage(.rejectedAttribute, "@\(name)"), line: lines.count,
                    column: (lines.last?.count ?? 0) + 1)
            }
        }
        return nil
    }

    /// Where a text is. That it is nowhere, as in nearly every submission, Foundation finds as fast in unoptimised builds.
    private func ranges(of text: String) -> [Range<Int>] {
        let wanted = Array(text.utf8)
        return Data(bytes).range(of: Data(wanted)) == nil ? [] : bytes.ranges(of: wanted)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The last token of code, and the one before it.
    private(set) var last: String?
    private(set) var beforeLast: String?
    /// Open parentheses of each string interpolation that is being read as code.
    private var interpolations: [Interpolation] = []
    /// The comments, as far as there is one way only to read their lines.
    private var comments: [Range<Int>] = []
    private var blanks: [Range<Int>] = []
    private var keepsLocksOnHeap = false
    private var namesEscaping = false
    private var reasonsToLook: [ReasonToLook] = []
    /// Where the import begins whose module may come next, with the tokens before it.
    private var importStart: (index: Int, beforeLast: String?, last: String?)?
    private var blankedImport: Rejection?
    /// A word that is looked for, and where it is used first.
    private var wanted: String?
    private var place: (line: Int, column: Int)?
    private let seconds: Double
    private let deadline: ContinuousClock.Instant
    /// How many ways to read the line are being followed, and where the line ends: set while there are two or more.
    private var fork: (count: Int, end: Int)?
    /// How far no quotation mark with as many pounds follows, as was found when one was looked for last.
    private var withoutEnd: (until: Int, pounds: Int)?
    /// A quotation mark with as many pounds, as was found then: no line ends before it.
    private var nextEnd: (place: Int, pounds: Int)?

    private struct Interpolation: Equatable {
        var depth = 0
        var pounds: Int
        var isLong: Bool
    }

    private init(_ bytes: [UInt8], _ seconds: Double) {
        self.bytes = bytes
        self.seconds = seconds
        deadline = .now + .seconds(seconds)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private func byte(_ offset: Int = 0) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    // These are asked for each byte, also in unoptimised builds.
    private var beginsLineComment: Bool { byte() == 0x2F && byte(1) == 0x2F }
    private var beginsBlockComment: Bool { byte() == 0x2F && byte(1) == 0x2A }
    private var endsBlockComment: Bool { byte() == 0x2A && byte(1) == 0x2F }
    private var isTripleQuote: Bool { byte() == 0x22 && byte(1) == 0x22 && byte(2) == 0x22 }

    private mutating func advance(_ count: Int = 1) {
        let end = min(index + count, bytes.count)
        while index < end {
            if bytes[index] == 10 || (bytes[index] == 13 && byte(1) != 10) {
                line += 1
                lineStart = index + 1
            }
            index += 1
        }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }

    /// Reads to the end, or to the end of the line that is read in several ways.
    private mutating func run() -> Rejection? {
        var steps = 0
        let end = fork.map(\.end) ?? bytes.count
        while index < end {
            steps += 1
            if steps.isMultiple(of: 4096), let rejection = lateness { return rejection }
            let current = byte()
            let start = index
            if beginsLineComment {
                while index < bytes.count, byte() != 10, byte() != 13 { advance() }
                if fork == nil { comments.append(start..<index) }
            } else if beginsBlockComment {
                skipBlockComment()
                if fork == nil { comments.append(start..<index) }
            } else if current == UInt8(ascii: "\"") {
                skipString(pounds: 0)
            } else if current == UInt8(ascii: "#") {
                if let rejection = pounds() { return rejection }
            } else if current == UInt8(ascii: "/"), mayBeginRegularExpression() {
                if let rejection = readSlash() { return rejection }
            } else if current == UInt8(ascii: "`") {
                if let rejection = quotedName() { return rejection }
            } else if Self.isIdentifier(current) || current == UInt8(ascii: "@") {
                if let rejection = word() { return rejection }
            } else {
                if current == UInt8(ascii: "("), !interpolations.isEmpty {
                    interpolations[interpolations.count - 1].depth += 1
                } else if current == UInt8(ascii: ")"), let last = interpolations.last {
                    if last.depth == 0 {
                        interpolations.removeLast()
                        advance()
                        continueString(pounds: last.pounds, isLong: last.isLong)
                        continue
                    }
                    interpolations[interpolations.count - 1].depth -= 1
                }
                if current > 0x20 {
                    remember(String(UnicodeScalar(current)))
                }
                advance()
            }
        }
        return nil
    }

    private var lateness: Rejection? {
        ContinuousClock.now < deadline ? nil : Rejection(LocalizableMessage(.readingTimedOut, seconds.short))
    }

    /// A directive, or what begins with pounds: a string, a regular expression.
    private mutating func pounds() -> Rejection? {
        var count = 1
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        switch byte(count) {
        case UInt8(ascii: "\""):
            advance(count)
            skipString(pounds: count)
            // Whether such a string ends on its line is looked for as far as the line goes.
            if let rejection = lateness { return rejection }
        case UInt8(ascii: "/"):
            // The compiler looks for an interpolation's end before it knows of regular expressions.
            guard interpolations.isEmpty else { return ambiguity(LocalizableMessage(.ambiguousInterpolation)) }
            skipRegularExpression(pounds: count)
        default:
            advance(count - 1)
            return word()
        }
        return nil
    }

    // MARK: What can be read in two ways

    /// Behind an operand, and before a blank, a slash divides. A keyword is no operand.
    private func mayBeginRegularExpression() -> Bool {
        guard byte(1) > 0x20 else { return false }
        guard index > 0 else { return true }
        let before = bytes[index - 1]
        if before == UInt8(ascii: ")") || before == UInt8(ascii: "]") { return false }
        return !Self.isIdentifier(before) || last.map(Self.beforeExpressions.contains) ?? true
    }

    private static let beforeExpressions: Set<String> = [
        "return", "case", "in", "try", "await", "throw", "where", "if", "while", "guard", "switch", "else", "do",
        "repeat",
        "defer", "yield", "then", "is", "as", "unsafe", "consume", "copy", "borrow", "any", "some", "let", "var",
        "inout",
        "default", "each",
    ]

    /// The longest line of a regular expression between slashes; so looking for its end takes no longer than that.
    private static let longestExpression = 2000

    /// Reads the rest of the line with a regular expression that begins here, and without. Both have to come to the same.
    private mutating func readSlash() -> Rejection? {
        let refused = ambiguity(LocalizableMessage(.ambiguousRegularExpression))
        var end = index + 1
        while end < bytes.count, bytes[end] != 10, bytes[end] != 13, bytes[end] != UInt8(ascii: "/") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            if end - index > Self.longestExpression { return refused }
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "/") else {
            remember("/")
            advance()
            return nil
        }
        guard interpolations.isEmpty else { return ambiguity(LocalizableMessage(.ambiguousInterpolation)) }
        if let rejection = lateness { return rejection }
        let outer = fork
        let count = (outer?.count ?? 1) + 1
        guard count <= 8 else { return refused }
        var lineEnd = outer?.end ?? end
        while lineEnd < bytes.count, bytes[lineEnd] != 10, bytes[lineEnd] != 13 { lineEnd += 1 }
        let blanked = blanks.count
        fork = (count, lineEnd)
        remember("/")

        var expression = self
        expression.advance(end + 1 - index)
        let inExpression = expression.run()
        advance()
        let inOperator = run()
        fork = outer
        switch (inExpression, inOperator) {
        case (nil, nil): break
        case (let rejection?, .some): return rejection
        default: return refused
        }
        let isSame =
            index == expression.index && interpolations == expression.interpolations
            && blanks[blanked...] == expression.blanks[blanked...] && keepsLocksOnHeap == expression.keepsLocksOnHeap
            && namesEscaping == expression.namesEscaping
        // What comes on the next line is looked at with the last words of this one.
        let words = [beforeLast, last]
        let others = [expression.beforeLast, expression.last]
        guard isSame, words == others || !(words + others).contains(where: { $0 == "import" || $0 == "unowned" }) else {
            return refused
        }
        return nil
    }

    private func ambiguity(_ message: LocalizableMessage) -> Rejection {
        Rejection(message, line: line, column: index - lineStart + 1)
    }

    private mutating func remember(_ text: String, at start: Int? = nil) {
        if let start, text == "import" || Self.importModifiers.contains(text) {
            if importStart == nil || !Self.importModifiers.contains(last ?? "") {
                importStart = (start, beforeLast, last)
            }
        } else if last != "import" || !Self.importKinds.contains(text) {
            importStart = nil
        }
        (beforeLast, last) = (last, text)
    }

    /// An identifier, an attribute or a directive.
    private mutating func word() -> Rejection? {
        let (row, column) = (line, index - lineStart + 1)
        var text = ""
        let first = byte()
        let marker = index
        if first == UInt8(ascii: "@") || first == UInt8(ascii: "#") {
            advance()
            text = String(UnicodeScalar(first))
            // `@ name` and `@/* */name` are attributes as well.
            if first == UInt8(ascii: "@") {
                while index < bytes.count {
                    if byte() <= 0x20 { advance() } else if beginsBlockComment { skipBlockComment() } else { break }
                }
                if byte() == UInt8(ascii: "`") { advance() }
            }
        }
        let start = index
        while index < bytes.count, Self.isIdentifier(byte()) { index += 1 }
        text += String(decoding: bytes[start..<index], as: UTF8.self)
        if byte() == UInt8(ascii: "`") { index += 1 }
        guard !text.isEmpty else { return nil }
        note(text, line: row, column: column)
        // What the compiler does not see is no token.
        if Self.blankedAttributes.contains(text) {
            blanks += [marker..<marker + 1, start..<start + text.utf8.count - 1]
            return nil
        }
        if let module = importedModule(text), Self.blankedModules.contains(module), let start = importStart {
            blankImport(from: start, LocalizableMessage(.rejectedImport, module), line: row, column: column)
            return nil
        }
        defer { remember(text, at: marker) }

        if text.hasPrefix("@") {
            if text.hasPrefix("@_") ? !Self.harmlessAttributes.contains(text) : Self.refusedAttributes.contains(text) {
                return Rejection(LocalizableMessage(.rejectedAttribute, text), line: row, column: column)
            }
            // `@Swift._silgen_name` names the same attribute through a module.
            return nil
        }
        if Self.privateNames.contains(text) {
            return Rejection(LocalizableMessage(.rejectedUnsafe, text), line: row, column: column)
        }
        if text.hasPrefix("pthread_"), beforeLast == "UnsafeMutablePointer", last == "<" {
            keepsLocksOnHeap = true
        }
        switch text {
        case "#sourceLocation", "#externalMacro", "#embed":
            return Rejection(LocalizableMessage(.rejectedAttribute, text), line: row, column: column)
        case "unsafe":
            // `unsafe f()` silences the check that follows; `unowned(unsafe)` and `nonisolated(unsafe)` are declarations.
            if beforeLast == "unowned", last == "(" {
                return Rejection(LocalizableMessage(.rejectedUnsafe, "unowned(unsafe)"), line: row, column: column)
            }
            let isMember = last == "." && beforeLast != nil && beforeLast != "."
            if !isMember, !isPlainName() {
                return Rejection(LocalizableMessage(.rejectedUnsafe, "unsafe"), line: row, column: column)
            }
        case "macro":
            if startsOperand(), last != "." {
                return Rejection(LocalizableMessage(.rejectedAttribute, "macro"), line: row, column: column)
            }
        default: break
        }
        return refusedName(text, line: row, column: column)
    }

    private mutating func note(_ name: String, line: Int, column: Int) {
        if name == "withoutActuallyEscaping" { namesEscaping = true }
        // A text of nothing but such names is not listed name by name.
        if reasonsToLook.count < 100, let reason = reasonToLook(at: name) {
            reasonsToLook.append(ReasonToLook(reason, line: line))
        }
        if name == wanted, place == nil, isUse(of: name) { place = (line, column) }
    }

    /// Whether the name that was just read stands for what others have made: it is not declared here, and is no label of a
    /// well-known function.
    private func isUse(of name: String) -> Bool {
        if let last, ["let", "var", "func", "case", "class", "struct", "enum", "actor"].contains(last) { return false }
        return name != "contentsOf" || !["append", "insert"].contains(beforeLast)
    }

    /// Takes out the import whose module was just read, with the path behind it and the semicolon that would be left alone.
    private mutating func blankImport(
        from start: (index: Int, beforeLast: String?, last: String?), _ message: LocalizableMessage, line: Int,
        column: Int
    ) {
        while byte() == UInt8(ascii: "."), Self.isIdentifier(byte(1)) {
            advance()
            while Self.isIdentifier(byte()) { advance() }
        }
        var end = index
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: ";") { advance(end + 1 - index) }
        blanks.append(start.index..<index)
        (beforeLast, last, importStart) = (start.beforeLast, start.last, nil)
        blankedImport = blankedImport ?? Rejection(message, line: line, column: column)
    }

    /// What a name may not be behind the tokens before it: a module that a kata may not import, a convention of C's.
    private func refusedName(_ text: String, line: Int, column: Int) -> Rejection? {
        if last == "(", beforeLast == "@convention", text != "block" {
            let attribute = "@convention(\(text))"
            return Rejection(LocalizableMessage(.rejectedCFunction, attribute), line: line, column: column)
        }
        guard let module = importedModule(text), Self.refusedModules.contains(module) else { return nil }
        return Rejection(LocalizableMessage(.rejectedImport, module), line: line, column: column)
    }

    private static let importKinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

    /// Whether `text`, which comes after the last token, is the module of an import.
    func importedModule(_ text: String) -> String? {
        if last == "import", beforeLast != "." { return Self.importKinds.contains(text) ? nil : text }
        if beforeLast == "import", let last, Self.importKinds.contains(last) { return text }
        return nil
    }

    /// Whether, after spaces on the same line, another operand follows the word that was just read.
    private func startsOperand() -> Bool {
        var offset = 0
        while byte(offset) == 0x20 || byte(offset) == 0x09 { offset += 1 }
        guard offset > 0 else { return false }
        let next = byte(offset)
        return Self.isIdentifier(next)
            || [UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "`"), UInt8(ascii: "\\")].contains(next)
            || (next == UInt8(ascii: ".") && Self.isIdentifier(byte(offset + 1))) || next == UInt8(ascii: "&")
    }

    /// Whether what follows the word that was just read can only follow a name. Blanks and comments of every kind may
    /// stand between `unsafe` and what it silences.
    private func isPlainName() -> Bool {
        if ".([".utf8.contains(byte()) { return true }
        var rest = self
        while rest.index < bytes.count {
            if rest.beginsBlockComment {
                rest.skipBlockComment()
            } else if rest.byte() <= 0x20 {
                rest.advance()
            } else {
                break
            }
        }
        if rest.index == bytes.count || ")]},:;=".utf8.contains(rest.byte()) { return true }
        // An operator before a blank stands behind an operand: `unsafe && isOpen`, `unsafe ? 1 : 2`.
        var offset = 0
        while "&|=!<>?+-*%^~".utf8.contains(rest.byte(offset)) { offset += 1 }
        return offset > 0 && [0x20, 0x09, 0x0A, 0x0D].contains(rest.byte(offset))
    }

    /// A name in backticks, which may hold quotation marks and all else but a line's end.
    private mutating func quotedName() -> Rejection? {
        let (row, column, start) = (line, index - lineStart + 1, index + 1)
        advance()
        while index < bytes.count, byte() != UInt8(ascii: "`"), byte() != 10, byte() != 13 { advance() }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        // The compiler looks for an interpolation's end before it knows of names in backticks.
        if !interpolations.isEmpty, name.contains(where: { "\"'()\\#/".contains($0) }) {
            return Rejection(LocalizableMessage(.ambiguousInterpolation), line: row, column: column)
        }
        if byte() == UInt8(ascii: "`") { advance() }
        note(name, line: row, column: column)
        defer { remember(name) }
        if Self.privateNames.contains(name) {
            return Rejection(LocalizableMessage(.rejectedUnsafe, name), line: row, column: column)
        }
        return refusedName(name, line: row, column: column)
    }

    private mutating func skipBlockComment() {
        var depth = 0
        while index < bytes.count {
            if beginsBlockComment {
                depth += 1
                advance(2)
            } else if endsBlockComment {
                depth -= 1
                advance(2)
                if depth == 0 { return }
            } else {
                advance()
            }
        }
    }

    /// `#/…/#`, which ends at the first slash with as many pounds; on its own line unless nothing else stands on its first.
    private mutating func skipRegularExpression(pounds: Int) {
        advance(pounds + 1)
        var offset = 0
        while byte(offset) == 0x20 || byte(offset) == 0x09 { offset += 1 }
        let isLong = byte(offset) == 10 || byte(offset) == 13
        while index < bytes.count {
            if byte() == UInt8(ascii: "\\") {
                advance(2)
            } else if byte() == UInt8(ascii: "/"), hasPounds(pounds, at: 1) {
                advance(1 + pounds)
                return
            } else if !isLong, byte() == 10 || byte() == 13 {
                return  // unterminated; the compiler will say so
            } else {
                advance()
            }
        }
    }

    private mutating func skipString(pounds: Int) {
        let isLong = isTripleQuote && !endsOnItsLine(pounds: pounds)
        advance(isLong ? 3 : 1)
        continueString(pounds: pounds, isLong: isLong)
    }

    /// `#"""#` is a quotation mark: with pounds, three marks begin a string of many lines only if none of it ends on this one.
    private mutating func endsOnItsLine(pounds: Int) -> Bool {
        guard pounds > 0 else { return false }
        // Where no mark with so few pounds was found, none with more is; and the other way round.
        if let known = withoutEnd, index < known.until, pounds >= known.pounds { return false }
        if let known = nextEnd, index + 2 <= known.place, pounds <= known.pounds { return true }
        var offset = 2
        while index + offset < bytes.count, byte(offset) != 10, byte(offset) != 13 {
            if byte(offset) == UInt8(ascii: "\""), hasPounds(pounds, at: offset + 1) {
                nextEnd = (index + offset, pounds)
                return true
            }
            offset += 1
        }
        withoutEnd = (index + offset, pounds)
        return false
    }

    /// Reads on in a string until it ends, or until an interpolation makes code of it again.
    private mutating func continueString(pounds: Int, isLong: Bool) {
        while index < bytes.count {
            if byte() == UInt8(ascii: "\\"), hasPounds(pounds, at: 1) {
                let next = byte(1 + pounds)
                if next == UInt8(ascii: "(") {
                    advance(2 + pounds)
                    interpolations.append(Interpolation(pounds: pounds, isLong: isLong))
                    return
                }
                advance(1 + pounds)
                advance()
            } else if byte() == UInt8(ascii: "\""), isLong ? isTripleQuote : true,
                hasPounds(pounds, at: isLong ? 3 : 1)
            {
                advance((isLong ? 3 : 1) + pounds)
                return
            } else if !isLong, byte() == 10 || byte() == 13 {
                return  // an unterminated string; the compiler will say so
            } else {
                advance()
            }
        }
    }

    private func hasPounds(_ count: Int, at offset: Int) -> Bool {
        count == 0 || (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }
}
