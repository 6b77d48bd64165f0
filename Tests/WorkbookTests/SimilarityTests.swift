import Testing

@testable import Workbook

@Suite("Similar sources")
struct SimilarityTests {
    /// Code that is made from a number, different for each number.
    private func code(_ number: Int, lines: Int = 40) -> String {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        let statements = [
            "let value = first + second", "if a < b { return c }", "for x in list { print(x) }",
            "guard let y else { throw z }",
            "while ready { await step() }", "values[index] = nil", "task.cancel()",
            "switch k { case .a: f() default: g(1, 2) }",
        ]
        return (0..<lines).map { _ in statements[next(statements.count)] }.joined(separator: "\n")
    }

    private func similarity(_ one: String, _ other: String, given: String = "") -> Double {
        let discounted = Set(SourceFingerprints.runs(of: given.utf8))
        let sources = [one, other].map { SourceFingerprints(of: $0.utf8).without(discounted) }
        return SimilarSources(sources, threshold: 0).pairs.first?.similarity ?? 0
    }

    @Test("A copy with other names, comments and layout is the same")
    func disguised() {
        let disguised =
            "// mine\n"
            + code(1).replacing("value", with: "número").replacing("list", with: "everything")
            .replacing("\n", with: " /* so /* be */ it */\n\n    ").replacing("1, 2", with: "30 , 0x4")
        #expect(similarity(code(1), disguised) == 1)
    }

    @Test("Code that was written independently is not similar")
    func apart() {
        #expect(similarity(code(1), code(2)) < 0.3)
    }

    @Test("Half a copy is about half as similar")
    func half() {
        let half = similarity(code(1) + "\n" + code(2), code(1) + "\n" + code(3))
        #expect(half > 0.35 && half < 0.65)
    }

    @Test("Code that every learner was given does not count")
    func given() {
        #expect(similarity(code(1), code(1), given: code(1)) == 0)
        #expect(similarity(code(9) + "\n" + code(1), code(9) + "\n" + code(2), given: code(9)) < 0.3)
    }

    @Test("What many have in common is a group of all of them", arguments: [2, 11, 14, 40])
    func ring(size: Int) {
        let ring = (0..<size).map { code(1) + (0..<$0 % 3).map { "\nextra(\($0), [a: b]) { c in d[e] }" }.joined() }
        let others = (0..<20).map { code(100 + $0) }
        let groups = SimilarSources((ring + others).map { SourceFingerprints(of: $0.utf8) }).groups
        #expect(groups.map(\.members) == [Array(0..<size)])
    }

    @Test("Half a file that everyone has makes no group of those who wrote the other half themselves")
    func common() {
        let class30 = (0..<30).map { code(500, lines: 12) + "\n" + code($0) }
        let sources = class30.map { SourceFingerprints(of: $0.utf8) }
        #expect(SimilarSources(sources).pairs == [])
    }

    @Test("A class in which all files are alike keeps few pairs, and counts the others")
    func bounded() {
        let alike = (0..<200).map { code(1, lines: 60) + "\n" + code(2 + $0, lines: 4) }
        let groups = SimilarSources(alike.map { SourceFingerprints(of: $0.utf8) }).groups
        #expect(groups.map(\.members) == [Array(0..<200)])
        #expect((groups.first?.pairs.count ?? 0) <= 200 * 21)
        #expect((groups.first?.pairsLeftOut ?? 0) > 200)
    }

    @Test(
        "What has no effect is not compared",
        arguments: [
            "_ = 0", "_ = 1 + a.b[2]", "_ = String(c)", "let never = 5", "var never: Int? = nil", "let never: Int",
            "var never = 0\nnever = 2\nnever += 1", "let one = 1\nlet two = one", "print(\"here\")", "assert(a == b)",
            "if false { a() }", ";", "while false {\na()\n}",
        ])
    func withoutEffect(noise: String) {
        let lines = ["func a() {", "let x = first()", "return b(x)", "}"]
        let noisy = ["func a() {", noise, "let x = first()", noise, "return b(x)", "}"]
        let codes = { (lines: [String]) in EffectiveTokens.codes(of: Array(lines.joined(separator: "\n").utf8)) }
        #expect(codes(noisy) == codes(lines))
        #expect(codes(["private final class A { self.b() }"]) == codes(["class A { b() }"]))
    }

    @Test(
        "What has an effect, or may have one, is compared",
        arguments: [
            "_ = first()", "_ = await second", "let used = 5\na(used)", "if false { a() } else { b() }", "x = 5",
            "public let never = 5", "@Published var never = 5", "_ = { a() }()", "_ = [1, 2]\n    .map { a($0) }",
        ])
    func withEffect(statement: String) {
        let codes = { (lines: [String]) in EffectiveTokens.codes(of: Array(lines.joined(separator: "\n").utf8)) }
        #expect(codes(["b()", statement, "c()"]) != codes(["b()", "c()"]))
    }

    private func hashes(_ text: String) -> [UInt32] { SourceFingerprints(of: text.utf8).hashes }

    /// Statements of which no two are the same.
    private let body = """
        guard a < b, c[d] != nil else { throw e }
        f(g, h: [i, j]) { k in l + m }
        if n == o || !p { return q.r(s)?.t ?? u }
        v.w = (x, y, z)
        """
    private let otherBody = """
        switch a { case .b: c() default: d(1, [2]) }
        defer { e?.f -= g }
        repeat { h = i * j / k } while l && m
        """

    @Test("The order of functions says nothing, nor whether they stand in an extension")
    func orderOfMembers() {
        let (one, other) = ("func a() throws {\n\(body)\n}", "private func b() {\n\(otherBody)\n}")
        let rest = "let c: Int\ninit() { b() }"
        let inOrder = hashes("class A {\n\(rest)\n\(one)\n\(other)\n}")
        #expect(inOrder.count > 6)
        #expect(hashes("class A {\n\(other)\n\(rest)\n\(one)\n}") == inOrder)
        #expect(hashes("class A {\n\(rest)\n}\nextension A {\n\(other)\n\(one)\n}") == inOrder)
    }

    @Test("A body is the same in a closure and in a function, whatever both take")
    func closure() {
        let closure = hashes("func a() {\nb { [weak self] c, d in\n\(body)\n}\n}")
        let function = hashes("func a() {\nfunc e(_ c: Int, d: [String: Int]) throws -> Int {\n\(body)\n}\nb(e)\n}")
        #expect(closure.count > 6)
        // The function has a head besides.
        #expect(Set(closure).isSubset(of: function) && function.count <= closure.count + 4)
    }

    @Test("Bodies that are too short for a run are the same as a whole, and those of one call say nothing")
    func shortBody() {
        let bodies = ["a.b = c[d]", "e?.f(g, h)", "return i + j * k"].map { "{\n\($0)\n}" }
        let text = { (bodies: [String]) in bodies.map { "func l() \($0)" }.joined(separator: "\n") }
        let (inOrder, reversed) = (text(bodies), text(bodies.reversed()))
        #expect(hashes(inOrder).count == 3 && hashes(inOrder) == hashes(reversed))
        #expect(hashes("func l() {\nm()\n}") == [])
    }

    @Test("A loop is the same with an iterator", arguments: ["", "try await "])
    func loop(effects: String) {
        let make = effects.isEmpty ? "makeIterator" : "makeAsyncIterator"
        let loop = ["func a() {", "for \(effects)b in c.d {", body, "}", "e(f)", "}"]
        let iterator = [
            "func a() {", "var g = c.d.\(make)()", "while let b = \(effects)g.next() {", body, "}", "e(f)", "}",
        ]
        #expect(EffectiveTokens.codes(of: lines(loop)) == EffectiveTokens.codes(of: lines(iterator)))
    }

    private func lines(_ lines: [String]) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    @Test(
        "A function that is never called is not compared, if nobody else can call it",
        arguments: [("private ", true), ("fileprivate ", true), ("", false), ("public ", false)])
    func neverCalled(access: String, isLeftOut: Bool) {
        let alone = "class A {\nlet b = c()\n}"
        let more = "class A {\n\(access)func unused() -> Int {\n\(body)\n}\nlet b = c()\n}"
        #expect(
            (EffectiveTokens.codes(of: Array(alone.utf8)) == EffectiveTokens.codes(of: Array(more.utf8))) == isLeftOut)
    }

    @Test("A brace may stand on a line of its own")
    func braces() {
        let text = "func a() {\nif b {\n\(body)\n} else {\n\(otherBody)\n}\nwhile c { d() }\n}"
        #expect(hashes(text) == hashes(text.replacing(" {\n", with: "\n{\n")))
    }

    @Test("An answer of the workbook is found in a copy; of two that are as near, the first is named")
    func known() {
        let answers = [("model", code(1)), ("variant", code(1)), ("other", code(2))].map {
            KnownSources.Answer(path: $0, fingerprints: SourceFingerprints(of: $1.utf8))
        }
        let known = KnownSources(given: [code(9)], answers: answers)
        let nearest = { (text: String) in known.nearest(to: SourceFingerprints(of: text.utf8)) }
        #expect(nearest(code(9) + "\n" + code(1))?.answer.path == "model")
        #expect(nearest(code(2) + "\nextra()")?.answer.path == "other")
        #expect(nearest(code(9) + "\n" + code(3)) == nil && nearest("") == nil)
        #expect(SourceFingerprints(of: code(2).utf8).without(known.discounted).hashes == [])
    }

    @Test("Strings and comments are read to their ends, with any content, and to the end of the file at most")
    func tokens() {
        let name = EffectiveTokens.codes(of: Array("x".utf8))
        let string = EffectiveTokens.codes(of: Array("\"\"".utf8))
        for text in ["\"a // \\\" b\"", "#\"a \" b\"#", "\"\"\"\n a \" b \n\"\"\"", "/* \" */ \"\"", "\"never ends"] {
            #expect(EffectiveTokens.codes(of: Array(text.utf8)) == string, "\(text)")
        }
        #expect(EffectiveTokens.codes(of: Array("número // \" ".utf8)) == name)
        #expect(EffectiveTokens.codes(of: Array("/* /* */".utf8)) == [])
    }

    @Test("Pairs with a common learner are one group, with the smallest and the largest similarity")
    func groups() {
        let sources = [code(1), code(7), code(1) + "\nextra()", code(8), "let short = 1", code(8)]
            .map { SourceFingerprints(of: $0.utf8) }
        let groups = SimilarSources(sources).groups
        #expect(groups.map(\.members) == [[0, 2], [3, 5]])
        #expect(groups.last?.most == 1)
    }

    @Test("A pair that connects a group comes before those that say the same again")
    func order() {
        let sources = [code(1), code(1), code(1, lines: 60), code(1, lines: 50)].map { SourceFingerprints(of: $0.utf8) }
        let pairs = SimilarSources(sources).groups.first?.pairs ?? []
        #expect(pairs.first.map { [$0.first, $0.second] } == [0, 1])
        #expect(Set(pairs.prefix(3).flatMap { [$0.first, $0.second] }) == [0, 1, 2, 3])
        // What is alike to a file is alike to its copy as well, which is not said again.
        #expect(pairs.count == 4)
    }

    // MARK: Where they match

    /// Lines that follow from a number, and of which no two are the same.
    private func distinct(_ number: Int, lines: Int = 12) -> String {
        let signs = ["(", "[", "if", "for", "<", "==", "return", "{"]
        return (0..<lines).map { line in
            let bits = (number * 1000 + line) &* 2_654_435_761
            return "let x = " + (0..<7).map { signs[bits >> ($0 * 4) & 7] + " y" }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// The lines of two sources, from what both are made of.
    private func matching(_ one: [String], _ other: [String], given: String = "") -> MatchingLines {
        MatchingLines(
            one.joined(separator: "\n").utf8, other.joined(separator: "\n").utf8,
            discounting: Set(SourceFingerprints.runs(of: given.utf8)))
    }

    @Test(
        "A text or a comment without an end is on the lines that the file has",
        arguments: ["\"\"\"\nabc\n", "\"x\\\n", "/* abc\n"])
    func withoutEnd(end: String) {
        let text = distinct(1) + "\nlet s = " + end
        let lines = matching([text], [text])
        #expect(lines.first.count == text.split(separator: "\n").count)
        #expect(lines.matches.count == 1)
    }

    @Test("Matches have the lines of both sources, and numbers in the order of the first one")
    func matches() {
        let lines = matching(
            [distinct(2, lines: 10), distinct(1), distinct(3, lines: 10), distinct(4)],
            [distinct(4), distinct(5, lines: 6), distinct(1)])
        #expect(
            lines.matches == [
                MatchingLines.Match(first: 11...22, second: 19...30),
                MatchingLines.Match(first: 33...44, second: 1...12),
            ])
        #expect(lines.first.count == 44 && lines.second.count == 30)
        #expect(Array(lines.first[9...11]) == [0, 1, 1] && Array(lines.second[11...12]) == [2, 0])
    }

    @Test("Names, comments and empty lines do not change what matches; the lines are those of the files")
    func matchesDisguised() {
        let disguised = distinct(1).replacing("x", with: "número")
            .replacing("\n", with: "\n// so be it\n\n")
        let lines = matching([distinct(1)], ["// mine", disguised])
        #expect(lines.matches == [MatchingLines.Match(first: 1...12, second: 2...35)])
        // A line without code says nothing.
        #expect(Array(lines.second[0...4]) == [0, 1, 0, 0, 1])
    }

    @Test("Lines of what everybody was given are in no match")
    func matchesDiscounted() {
        let lines = matching(
            [distinct(9), distinct(1)], [distinct(9), distinct(1)],
            given: distinct(9))
        #expect(lines.matches == [MatchingLines.Match(first: 13...24, second: 13...24)])
        #expect(lines.first.prefix(12).allSatisfy { $0 == MatchingLines.discounted })
        #expect(matching([distinct(9)], [distinct(9)], given: distinct(9)).matches == [])
        // What was given ends a match, and another one begins after it.
        let copy = [distinct(1), distinct(9), distinct(2)]
        #expect(
            matching(copy, copy, given: distinct(9)).matches.map(\.second) == [1...12, 25...36])
    }

    @Test("A text that repeats itself matches once, and empty files not at all")
    func matchesRepeated() {
        let line = "if a { b(c) } else { d = [e] }"
        let lines = matching(Array(repeating: line, count: 500), Array(repeating: line, count: 400))
        #expect(lines.matches.first?.second == 1...400)
        #expect(matching([], []).matches == [] && matching([""], ["x"]).second == [0])
    }
}
