import Workbook

/// A change that makes a copy look like work of one's own.
enum Disguise: String, CaseIterable {
    case renaming, reordering
    case deadCode = "dead code"
    case statements = "a statement after each"
    case loops = "for to while"
    case functions = "function split"
    case closures = "closure and function"
    case extensions = "moved into an extension"
    case comments
    case braces = "style of braces"

    /// `nil` where the source has nothing that can be changed like this.
    func applied(to text: String) -> String? {
        let code = SourceCode(text)
        let changed =
            switch self {
            case .renaming: code.renamed()
            case .reordering: code.reordered()
            case .deadCode: code.withDeadCode()
            case .statements: code.withStatements()
            case .loops: code.withWhileLoops()
            case .functions: code.withSplitFunctions()
            case .closures: code.withClosuresAsFunctions()
            case .extensions: code.withExtensions()
            case .comments: code.withComments()
            case .braces: code.withBracesOnLines()
            }
        return changed == text ? nil : changed
    }
}

extension SourceCode {
    private typealias Change = (range: Range<Int>, text: String)

    private func isVisible(_ index: Int) -> Bool {
        !Set(words[start(of: index)...index]).isDisjoint(with: ["public", "open", "override", "case"])
    }

    /// Private and local names have other ones, and shorter ones.
    fileprivate func renamed() -> String {
        var names: [String: String] = [:]
        var kept: Set<String> = []
        for index in words.indices where ["let", "var", "func"].contains(words[index]) {
            let name = word(index + 1)
            guard SwiftTokens.isName(name), name != "_" else { continue }
            if isVisible(index) { kept.insert(name) } else { names[name] = "n\(names.count)" }
        }
        return replacing(
            words.indices.compactMap { index in
                guard let new = names[words[index]], !kept.contains(words[index]) else { return nil }
                let isMember = word(index - 1) == "." && !["self", "?"].contains(word(index - 2))
                return isMember || word(index + 1) == ":" ? nil : (index..<index + 1, new)
            })
    }

    /// The members of each type, and the types, in the opposite order.
    fileprivate func reordered() -> String {
        var changes: [Change] = []
        for brace in braces where block(brace) == .type {
            let members = statements(in: brace)
            for (old, new) in zip(members, members.reversed()) { changes.append((old, "\n" + self.text(new) + "\n")) }
        }
        let changed = changes.isEmpty ? self : SourceCode(replacing(changes))
        let types = changed.statements(in: nil).filter { changed.word($0.lowerBound) != "import" }
        return changed.replacing(zip(types, types.reversed()).map { ($0, changed.text($1)) })
    }

    /// A function that is never called in each type, and values and branches without effect in each function.
    fileprivate func withDeadCode() -> String {
        var changes: [Change] = []
        for (number, brace) in braces.enumerated() {
            let first = brace + 1
            if block(brace) == .type, !head(brace).contains("protocol") {
                let unused = """

                        private func unused\(number)(_ count: Int) -> Int {
                            var sum = 0
                            for value in 0..<count where value % 3 == 0 { sum += value * 2 }
                            return sum > 100 ? 100 : sum
                        }

                    """
                changes.append((first..<first, unused))
            } else if block(brace) == .function, statements(in: brace).count > 1 {
                let unused = [
                    "\nlet spare\(number) = [1, 2, 3]\nif spare\(number).isEmpty { print(\"never\") }\n",
                    "\nvar count\(number) = 0\ncount\(number) += 1\nif false { count\(number) = 2 }\n",
                    "\nfunc unusedHere\(number)() -> String { \"never\" }\n",
                ]
                changes.append((first..<first, unused[number % unused.count]))
            }
        }
        return replacing(changes)
    }

    /// Something without an effect after each statement that another one can follow.
    fileprivate func withStatements() -> String {
        var changes: [Change] = []
        for brace in braces where [.function, .control, .closure].contains(block(brace)) {
            let all = statements(in: brace)
            for statement in all {
                // The value of a block with one expression is that expression's.
                guard
                    !["return", "throw", "break", "continue", "case", "default"].contains(words[statement.lowerBound]),
                    all.count > 1 || block(brace) == .control, statement.upperBound <= (closing[brace] ?? 0)
                else { continue }
                let number = changes.count
                let added = [
                    "_ = \(number)", "print(\"step \(number)\")", "let step\(number) = \(number) + 1",
                    "_ = String(\"step\")", "debugPrint(\(number), \"here\")", "var at\(number) = 0; at\(number) += 1",
                    "_ = [\(number), 2].count", "assert(\(number) >= 0)",
                ]
                changes.append((statement.upperBound..<statement.upperBound, "\n\(added[number % added.count])\n"))
            }
        }
        return replacing(changes)
    }

    /// `while let value = iterator.next()`.
    fileprivate func withWhileLoops() -> String {
        var changes: [Change] = []
        for brace in braces where block(brace) == .control {
            let loop = start(of: brace)
            guard words[loop] == "for", word(loop + 1) != "case",
                let inWord = (loop..<brace).first(where: { words[$0] == "in" && parent[$0] == parent[brace] })
            else { continue }
            let condition = (inWord..<brace).first { words[$0] == "where" && parent[$0] == parent[brace] }
            let effects = ["try", "await"].filter { words[loop..<inWord].contains($0) }
            let isAsync = effects.contains("await")
            let pattern = (loop + 1 + effects.count)..<inWord
            let iterator = "iterator\(changes.count)"
            let value = pattern.count == 1 ? self.text(pattern) : "element\(changes.count)"
            let sequence = self.text(inWord + 1..<(condition ?? brace))
            var head = "var \(iterator) = " + (sequence.contains("..") ? "(\(sequence))" : sequence)
            head += isAsync ? ".makeAsyncIterator()\n" : ".makeIterator()\n"
            head += "while let \(value) = \((effects + ["\(iterator).next()"]).joined(separator: " ")) {\n"
            if pattern.count > 1 { head += "let \(self.text(pattern)) = \(value)\n" }
            if let condition { head += "guard \(self.text(condition + 1..<brace)) else { continue }\n" }
            changes.append((loop..<brace + 1, head))
        }
        return replacing(changes)
    }

    /// The second half of each function is a function that is called at its end.
    fileprivate func withSplitFunctions() -> String {
        var changes: [Change] = []
        for brace in braces where block(brace) == .function && parent[brace].map({ block($0) == .type }) ?? true {
            let all = statements(in: brace)
            let declaration = start(of: brace)
            guard let end = closing[brace], let last = all.last,
                let keyword = (declaration..<brace).first(where: { ["func", "init"].contains(words[$0]) }),
                let open = (keyword..<brace).first(where: { words[$0] == "(" }), let close = closing[open],
                words[declaration..<brace].contains("init") == false || all.count > 3
            else { continue }
            let isInitializer = words[keyword] == "init"
            let name = "part\(changes.count)"
            // One statement moves as a whole.
            let moved = all.count > 1 ? all[all.count / 2].lowerBound..<last.upperBound : all[0]
            let stay = brace + 1..<moved.lowerBound
            let locals = stay.filter { ["let", "var"].contains(words[$0]) && parent[$0] == brace }
                .map { words[$0 + 1] }.filter { SwiftTokens.isName($0) && words[moved].contains($0) }
            let labels = (open..<close).filter { index in
                parent[index] == open && words[index] == ":" && SwiftTokens.isName(words[index - 1])
            }
            let given = labels.map { index in
                let label = word(index - 2)
                return ["(", ","].contains(label)
                    ? "\(words[index - 1]): \(words[index - 1])"
                    : (label == "_" ? "" : "\(label): ") + words[index - 1]
            }
            let effects = words[close..<brace].filter { ["async", "throws"].contains($0) }
            let call =
                (["return"] + (effects.contains("throws") ? ["try"] : [])
                + (effects.contains("async") ? ["await"] : []))
                .dropFirst(isInitializer ? 1 : 0)
                .joined(separator: " ") + " \(name)(\((given + locals).joined(separator: ", ")))"
            let types = close == open + 1 ? [] : [self.text(open + 1..<close)]
            let parameters = (types + locals.map { "_ \($0): some Any" }).joined(separator: ", ")
            let before = self.text(keyword + (isInitializer ? 1 : 2)..<open)
            let after = self.text(close + 1..<brace)
            changes.append((moved, call))
            changes.append(
                (end..<end + 1, "}\n\nprivate func \(name)\(before)(\(parameters)) \(after) {\n\(self.text(moved))\n}"))
        }
        return replacing(changes)
    }

    /// The outer closures of each statement are functions before it, and private functions are closures.
    fileprivate func withClosuresAsFunctions() -> String {
        var changes: [Change] = []
        var functions: [Int: String] = [:]
        func isInFunction(_ index: Int) -> Bool { chain(index).contains { block($0) == .function } }
        for brace in braces where block(brace) == .closure && isInFunction(brace) {
            guard let end = closing[brace], !chain(brace).contains(where: { block($0) == .closure }) else { continue }
            let isTrailing = parent[brace].map { words[$0] == "{" } ?? true
            let callee = word(brace - 1)
            guard !isTrailing || SwiftTokens.isName(callee) || callee == ")", word(end + 1) != ":",
                word(end + 2) != ":",
                isTrailing || [":", "(", ","].contains(callee), end > brace + 8
            else { continue }
            let around = chain(brace).first { words[$0] == "{" }
            guard let statement = statements(in: around).first(where: { $0.contains(brace) })?.lowerBound else {
                continue
            }
            let body = bodyStart(brace)
            let name = "step\(changes.count)"
            var names = (brace + 1..<max(brace + 1, body - 1)).filter {
                parent[$0] == brace && SwiftTokens.isName(words[$0])
            }
            .map { words[$0] }
            let inner = self.text(body..<end)
            if names.isEmpty { names = (0..<6).filter { inner.contains("$\($0)") }.map { "_\($0)" } }
            let parameters = names.map { "_ \($0): Int" }.joined(separator: ", ")
            let written = (0..<6).reduce(inner) { $0.replacing("$\($1)", with: "_\($1)") }
            functions[statement, default: ""] += "func \(name)(\(parameters)) {\n\(written)\n}\n"
            switch callee {
            case _ where !isTrailing: changes.append((brace..<end + 1, name))
            case ")":
                let comma = word(brace - 2) == "(" ? "" : ", "
                changes.append((brace - 1..<end + 1, "\(comma)\(name))"))
            default: changes.append((brace..<end + 1, "(\(name))"))
            }
        }
        for (statement, text) in functions { changes.append((statement..<statement, text)) }
        for brace in braces where block(brace) == .function && parent[brace].map({ block($0) == .type }) ?? false {
            let declaration = start(of: brace)
            guard closing[brace] != nil, words[declaration] == "private", word(declaration + 1) == "func",
                word(declaration + 3) == "(", let close = closing[declaration + 3]
            else { continue }
            let labels = (declaration + 3..<close).filter { parent[$0] == declaration + 3 && words[$0] == ":" }
            let names = labels.map { words[$0 - 1] }
            let types = zip(labels, labels.dropFirst() + [close]).map { index, next in
                let ends = (index..<next).filter { parent[$0] == declaration + 3 }
                let comma = next == close ? close : ends.last { words[$0] == "," } ?? close
                let stop = ends.first { words[$0] == "=" } ?? comma
                return self.text(index + 1..<stop)
            }
            let effects = words[close..<brace].filter { ["async", "throws"].contains($0) }.joined(separator: " ")
            let arrow = (close..<brace).first { words[$0] == ">" }
            let result = arrow.map { self.text($0 + 1..<brace) } ?? "Void"
            let head =
                "private lazy var \(words[declaration + 2]): (\(types.joined(separator: ", "))) "
                + "\(effects) -> \(result) = { \(names.joined(separator: ", ")) \(names.isEmpty ? "" : "in")"
            changes.append((declaration..<brace + 1, head))
        }
        return replacing(changes)
    }

    private func chain(_ index: Int) -> [Int] {
        Array(sequence(first: index, next: { parent[$0] }).dropFirst())
    }

    /// The functions of each type stand in an extension of it.
    fileprivate func withExtensions() -> String {
        var changes: [Change] = []
        for brace in braces where block(brace) == .type && parent[brace] == nil {
            guard let end = closing[brace] else { continue }
            let all = head(brace)
            guard
                let keyword = all.firstIndex(where: { ["struct", "class", "actor", "enum", "extension"].contains($0) })
            else { continue }
            let members = statements(in: brace).filter { $0.contains { words[$0] == "func" && parent[$0] == brace } }
            let isExtended = all[keyword] == "extension"
            let name =
                isExtended
                ? self.text((start(of: brace)..<brace).first { words[$0] == "extension" }! + 1..<brace)
                : all[keyword + 1]
            guard members.count > (isExtended ? 1 : 0) else { continue }
            var moved = ""
            for member in members.dropFirst(isExtended ? 1 : 0) {
                changes.append((member, ""))
                moved += "\n" + self.text(member) + "\n"
            }
            changes.append((end..<end + 1, "}\n\nextension \(name) {\(moved)}"))
        }
        return replacing(changes)
    }

    fileprivate func withComments() -> String {
        replacing(
            words.indices.filter { beginsLine[$0] }.map {
                ($0..<$0, $0 % 2 == 0 ? "// what \($0) does { (\n" : "/* so */ ")
            })
    }

    /// Each brace of a block on a line of its own.
    fileprivate func withBracesOnLines() -> String {
        replacing(
            braces.filter { [.type, .function, .control, .choice, .accessors].contains(block($0)) }
                .map { ($0..<$0 + 1, "\n{\n") })
    }
}
