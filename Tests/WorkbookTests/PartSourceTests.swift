import Testing
import Workbook

@Suite("A part as a learner wrote it")
struct PartSourceTests {
    private let text = """
        import Combine

        extension Publisher {
            /// The first value.
            var firstValue: Output {
                get async {
                    let text = "}"  // }
                    return await values(text)
                }
            }

            func merge(_ other: Self) { other }
        }
        """

    @Test("is the declaration with its body, set out to the left")
    func found() {
        #expect(
            PartSource.lines(of: "firstValue", in: text) == [
                "var firstValue: Output {", "    get async {", "        let text = \"}\"  // }",
                "        return await values(text)", "    }", "}",
            ])
        #expect(PartSource.lines(of: "merge(_:)", in: text) == ["func merge(_ other: Self) { other }"])
    }

    @Test("is not shown where there is none of its name, or where it is long or has no end")
    func notFound() {
        #expect(PartSource.lines(of: "second", in: text) == nil)
        let long = "func long() {\n" + String(repeating: "    step()\n", count: 20) + "}\n"
        #expect(PartSource.lines(of: "long", in: long) == nil)
        #expect(PartSource.lines(of: "open", in: "func open() {\n") == nil)
    }
}
