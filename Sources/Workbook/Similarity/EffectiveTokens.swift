/// The tokens of a source that do something: what is put between statements to make a copy look different is not among
/// them.
///
/// It leaves out values that are discarded (`_ = 0`), values that are never read, functions that are never called and that
/// only the file can call, `print` and the like, `if false`, and what may be written or not: access levels, `self.` and
/// semicolons. Of a loop it leaves what it goes through. What it does not understand stays.
struct EffectiveTokens {
    typealias Token = (code: UInt32, place: Range<Int>)

    private let bytes: [UInt8]
    private let tokens: [Token]
    private var isLeftOut: [Bool]
    /// Whether a line begins with this token.
    private let beginsLine: [Bool]
    /// The place of the bracket that closes this one.
    private let closing: [Int: Int]
    /// Whether a statement may begin here: not within parentheses.
    private let isInBlock: [Bool]
    /// The bracket that each token stands in.
    private let around: [Int?]

    static func codes(of bytes: [UInt8]) -> [UInt32] { placedCodes(of: bytes).map(\.code) }

    /// With the bytes that each token is made of.
    static func placedCodes(of bytes: [UInt8]) -> [Token] {
        var reading = EffectiveTokens(bytes)
        reading.leaveOut()
        return zip(reading.tokens, reading.isLeftOut).filter { !$0.1 }.map(\.0)
    }

    /// The tokens of each body by themselves, in no order that says anything: a function, or a closure that is as long, may
    /// stand anywhere, and be one or the other. What is around it goes on behind it.
    static func bodies(of bytes: [UInt8], atLeast least: Int) -> [[UInt32]] {
        var reading = EffectiveTokens(bytes)
        reading.leaveOut()
        return reading.bodies(atLeast: least)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let tokens = SwiftTokens.placedCodes(of: bytes)
        self.tokens = tokens
        isLeftOut = [Bool](repeating: false, count: tokens.count)
        var beginsLine: [Bool] = []
        var isInBlock: [Bool] = []
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        var around: [Int?] = []
        var read = 0
        for (index, token) in tokens.enumerated() {
            beginsLine.append(bytes[read..<token.place.lowerBound].contains(UInt8(ascii: "\n")) || index == 0)
            read = token.place.upperBound
            around.append(open.last)
            isInBlock.append(open.last.map { tokens[$0].code == Code.brace } ?? true)
            switch token.code {
            case Code.brace, Code.parenthesis, Code.bracket: open.append(index)
            case Code.closingBrace, Code.closingParenthesis, Code.closingBracket:
                if let start = open.popLast() { closing[start] = index }
            default: break
            }
        }
        self.beginsLine = beginsLine
        self.isInBlock = isInBlock
        self.closing = closing
        self.around = around
    }

    private enum Code {
        static func sign(_ text: StaticString) -> UInt32 { UInt32(text.utf8Start.pointee) + 0x100 }
        static func word(_ text: String) -> UInt32 { SwiftTokens.code(of: text.utf8) }

        static let brace = sign("{"), closingBrace = sign("}")
        static let parenthesis = sign("("), closingParenthesis = sign(")")
        static let bracket = sign("["), closingBracket = sign("]")
        static let semicolon = sign(";"), colon = sign(":"), equals = sign("="), dot = sign("."), comma = sign(",")
        static let at = sign("@")
        static let selfWord = word("self"), falseWord = word("false"), ifWord = word("if"), whileWord = word("while")
        static let elseWord = word("else"), inWord = word("in")
        static let forWord = word("for"), letWord = word("let")
        static let types = Set(["struct", "class", "actor", "enum", "protocol", "extension"].map(word))
        static let functions = Set(["func", "init", "deinit", "subscript"].map(word))
        static let control = Set(["if", "guard", "for", "while", "switch", "do", "repeat", "defer", "catch"].map(word))
        /// What stands before a closure that is an argument, or a value.
        static let called: Set = [SwiftTokens.name, closingParenthesis, equals]
        static let funcWord = word("func")
        static let hidden = Set(["private", "fileprivate"].map(word))
        static let binding: Set = [word("let"), word("var")]
        static let access = Set(["public", "open", "internal", "fileprivate", "private", "final"].map(word))
        static let visible: Set = [word("public"), word("open"), sign("@")]
        static let modifiers: Set = access.union(["static", "weak", "unowned", "nonisolated"].map(word))
        /// A line that begins with one of these goes on with the line before it, and one that ends with one is not over.
        static let continuing = Set(
            ".?:&|+-*/<>=%^,([{".utf8.map { UInt32($0) + 0x100 } + ["else", "catch", "where", "as", "is"].map(word))
        /// What may be in an expression that only has a value, in addition to names, numbers and strings.
        static let valued: Set = continuing.union([sign("!"), sign("~"), sign("#"), closingParenthesis, closingBracket])
            .subtracting(["else", "catch", "where"].map(word) + [brace])
            .union(["true", "false", "nil", "self", "Self", "super", "Any", "some"].map(word))
    }

    private mutating func leaveOut() {
        // A value may be read by another one alone that is never read.
        for _ in 0..<4 {
            guard leaveOutStatements() else { break }
        }
        leaveOutLoopHeads()
        for index in tokens.indices {
            switch tokens[index].code {
            case Code.semicolon: isLeftOut[index] = true
            case Code.selfWord where code(index + 1) == Code.dot && code(index - 1) != Code.dot:
                isLeftOut[index] = true
                isLeftOut[index + 1] = true
            case let code where Code.access.contains(code):
                isLeftOut[index] = true
                // `private(set)`
                if self.code(index + 1) == Code.parenthesis, let end = closing[index + 1], end == index + 3 {
                    for place in index...end { isLeftOut[place] = true }
                }
            default: break
            }
        }
    }

    // MARK: Bodies

    private func bodies(atLeast least: Int) -> [[UInt32]] {
        var bodies: [[UInt32]] = [[]]
        /// Where the tokens of a bracket that is open go, and where those go that stand behind it.
        var open: [(end: Int, before: Int, isType: Bool)] = []
        var current = 0
        /// Behind a head: what is declared is said, and its body has not begun.
        var head: (before: Int, isType: Bool)?
        func begin() {
            bodies.append([])
            current = bodies.count - 1
        }
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            if let last = open.last, last.end == index {
                current = last.before
                open.removeLast()
                // What was declared without a body has none.
                head = nil
                if last.isType { begin() }
                continue
            }
            guard !isLeftOut[index] else { continue }
            let code = tokens[index].code
            if isInBlock[index], head == nil {
                if Code.types.contains(code), self.code(index - 1) != Code.dot, self.code(index + 1) == SwiftTokens.name
                {
                    head = (current, true)
                    begin()
                } else if Code.functions.contains(code), self.code(index - 1) != Code.dot {
                    head = (current, false)
                    begin()
                } else if open.last?.isType == true, isStart(index) {
                    begin()
                }
            }
            if code == Code.brace, let end = closing[index] {
                if let begun = head, isInBlock[index] {
                    open.append((end, begun.before, begun.isType))
                    head = nil
                    begin()
                    continue
                }
                let start = startOfBody(index, end)
                if end - start >= least, isClosure(index, start) {
                    open.append((end, current, false))
                    bodies[current].append(SwiftTokens.name)
                    begin()
                    index = start - 1
                    continue
                }
            }
            bodies[current].append(code)
        }
        return bodies.filter { !$0.isEmpty }
    }

    /// Behind the parameters of a closure.
    private func startOfBody(_ brace: Int, _ end: Int) -> Int {
        var depth = 0
        for index in brace + 1..<max(brace + 1, min(end, brace + 64)) {
            switch tokens[index].code {
            case Code.inWord where depth == 0: return index + 1
            case Code.parenthesis, Code.bracket: depth += 1
            case Code.closingParenthesis, Code.closingBracket: depth -= 1
            case Code.brace, Code.closingBrace, Code.forWord: return brace + 1
            default: break
            }
        }
        return brace + 1
    }

    /// A block of `if` and the like is no closure.
    private func isClosure(_ brace: Int, _ start: Int) -> Bool {
        if start > brace + 1 || !isInBlock[brace] { return true }
        guard Code.called.contains(code(brace - 1)) else { return false }
        var index = brace - 1
        while index > 0, !isInBlock[index] || !isStart(index) { index -= 1 }
        return !Code.control.contains(code(index)) && code(index - 1) != Code.elseWord
    }

    private func code(_ index: Int) -> UInt32 { tokens.indices.contains(index) ? tokens[index].code : 0 }

    private func text(_ index: Int) -> String {
        tokens.indices.contains(index) ? String(decoding: bytes[tokens[index].place], as: UTF8.self) : ""
    }

    // MARK: Loops

    /// Leaves of `for x in xs` and of `while let x = iterator.next()` only what they go through, and their blocks.
    private mutating func leaveOutLoopHeads() {
        var iterators: Set<String> = []
        for index in tokens.indices where isInBlock[index] && !isLeftOut[index] {
            guard [Code.forWord, Code.whileWord].contains(code(index)),
                let brace = tokens.indices[index...].first(where: {
                    code($0) == Code.brace && around[$0] == around[index]
                })
            else { continue }
            if code(index) == Code.forWord {
                let inWord = (index..<brace).first { code($0) == Code.inWord && around[$0] == around[index] }
                for place in index...(inWord ?? index) { isLeftOut[place] = true }
            } else if brace > index + 6, code(index + 1) == Code.letWord, text(brace - 3) == "next",
                code(brace - 1) == Code.closingParenthesis, code(brace - 4) == Code.dot
            {
                iterators.insert(text(brace - 5))
                for place in index..<brace { isLeftOut[place] = true }
            }
        }
        for index in tokens.indices where code(index) == Code.equals && iterators.contains(text(index - 1)) {
            let last = tokens.indices[index...].dropFirst(2).first { isEnd($0) } ?? tokens.count
            guard Code.binding.contains(code(index - 2)),
                ["makeIterator", "makeAsyncIterator"].contains(text(last - 3))
            else { continue }
            for place in Array(index - 2...index) + Array(last - 4..<last) { isLeftOut[place] = true }
        }
    }

    // MARK: Statements

    /// Gives back whether there were any.
    private mutating func leaveOutStatements() -> Bool {
        var reads: [String: Int] = [:]
        var writes: [String: [Range<Int>]] = [:]
        var declared: Set<String> = []
        var useless: [Range<Int>] = []
        for index in tokens.indices where !isLeftOut[index] {
            if tokens[index].code == SwiftTokens.name { reads[text(index), default: 0] += 1 }
            guard isStart(index) else { continue }
            if let end = endOfUseless(index) {
                useless.append(index..<end)
            } else if let (name, end) = hiddenFunction(index) {
                writes[name, default: []].append(index..<end)
                declared.insert(name)
            } else if let (name, end, isDeclaration) = write(index) {
                writes[name, default: []].append(index..<end)
                if isDeclaration { declared.insert(name) }
            }
        }
        for (name, places) in writes where declared.contains(name) && reads[name] == places.count { useless += places }
        for range in useless { for place in range { isLeftOut[place] = true } }
        return !useless.isEmpty
    }

    private func isStart(_ index: Int) -> Bool {
        guard isInBlock[index], index > 0 else { return isInBlock[index] }
        switch code(index - 1) {
        case Code.brace, Code.semicolon, Code.inWord: return true
        case Code.closingBrace: return !Code.continuing.contains(code(index))
        case let before:
            return beginsLine[index] && !Code.continuing.contains(before) && !Code.continuing.contains(code(index))
        }
    }

    private func isEnd(_ index: Int) -> Bool {
        guard index < tokens.count else { return true }
        switch code(index) {
        case Code.closingBrace, Code.semicolon: return true
        case let next: return beginsLine[index] && !Code.continuing.contains(next)
        }
    }

    /// Where a statement ends that has no effect: a discarded value, something printed or asserted, a branch that is
    /// never taken.
    private func endOfUseless(_ start: Int) -> Int? {
        switch code(start) {
        case SwiftTokens.name:
            let name = text(start)
            if name == "_", code(start + 1) == Code.equals { return endOfValue(start + 2) }
            guard Self.said.contains(name), code(start + 1) == Code.parenthesis, let end = closing[start + 1],
                isEnd(end + 1)
            else { return nil }
            return end + 1
        case Code.ifWord, Code.whileWord:
            guard code(start + 1) == Code.falseWord, code(start + 2) == Code.brace, let end = closing[start + 2],
                code(end + 1) != Code.elseWord
            else { return nil }
            return end + 1
        default: return nil
        }
    }

    private static let said: Set = ["print", "debugPrint", "dump", "NSLog", "assert", "precondition"]

    /// A statement that gives a name a value, and does nothing else.
    private func write(_ start: Int) -> (name: String, end: Int, isDeclaration: Bool)? {
        var index = start
        var isVisible = code(start - 1) == Code.at
        while Code.modifiers.contains(code(index)) {
            isVisible = isVisible || Code.visible.contains(code(index))
            index += 1
        }
        let isDeclaration = Code.binding.contains(code(index))
        if isDeclaration { index += 1 } else if index > start { return nil }
        guard !isVisible, code(index) == SwiftTokens.name else { return nil }
        let name = text(index)
        index += 1
        if isDeclaration, code(index) == Code.colon {
            guard let end = endOfType(index + 1) else { return nil }
            index = end
            if code(index) != Code.equals { return isEnd(index) ? (name, index, true) : nil }
        }
        // `+=`
        if !isDeclaration, ["+", "-", "*", "/"].contains(text(index)) { index += 1 }
        guard code(index) == Code.equals, let end = endOfValue(index + 1) else { return nil }
        return (name, end, isDeclaration)
    }

    /// Whether the block around a token is a type's, or there is none.
    private func isInType(_ index: Int) -> Bool {
        guard var start = around[index] else { return true }
        while start > 0, !isInBlock[start] || !isStart(start) { start -= 1 }
        while Code.modifiers.contains(code(start)) { start += 1 }
        return Code.types.contains(code(start)) || code(start) == Code.at
    }

    /// A function that only this file can call.
    private func hiddenFunction(_ start: Int) -> (name: String, end: Int)? {
        var index = start
        var isHidden = !isInType(start)
        while Code.modifiers.contains(code(index)) {
            isHidden = isHidden || Code.hidden.contains(code(index))
            index += 1
        }
        guard isHidden, code(index) == Code.funcWord, code(index + 1) == SwiftTokens.name else { return nil }
        let brace = tokens.indices[index...].first { code($0) == Code.brace && isInBlock[$0] }
        guard let end = brace.flatMap({ closing[$0] }) else { return nil }
        return (text(index + 1), end + 1)
    }

    private func endOfType(_ start: Int) -> Int? {
        var index = start
        while index < tokens.count, index < start + 32, code(index) != Code.equals, index == start || !isEnd(index) {
            guard code(index) != Code.brace else { return nil }
            index += 1
        }
        return index > start ? index : nil
    }

    /// Where an expression ends that has a value and no effect: it calls nothing but initializers.
    private func endOfValue(_ start: Int) -> Int? {
        var index = start
        var depth = 0
        while index < start + 64, depth > 0 || index == start || !isEnd(index) {
            guard index < tokens.count else { return nil }
            let code = tokens[index].code
            switch code {
            case SwiftTokens.name, SwiftTokens.number, SwiftTokens.string: break
            case Code.parenthesis where index > start && isCall(index): return nil
            case Code.parenthesis, Code.bracket: depth += 1
            case Code.closingParenthesis, Code.closingBracket: depth -= 1
            case Code.equals:
                let isComparison = ["=", "<", ">", "!"].contains(text(index - 1)) || text(index + 1) == "="
                if !isComparison { return nil }
            case let other where Code.valued.contains(other): break
            default: return nil
            }
            if depth < 0 { return nil }
            index += 1
        }
        return index > start && isEnd(index) ? index : nil
    }

    private func isCall(_ parenthesis: Int) -> Bool {
        switch code(parenthesis - 1) {
        case SwiftTokens.name: text(parenthesis - 1).first?.isUppercase != true
        case Code.closingParenthesis, Code.closingBracket: true
        default: false
        }
    }
}
