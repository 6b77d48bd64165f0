import Testing
import Workbook

@Suite("A suite's source")
struct SuiteTextTests {
    @Test("gives the code of a test as if it began at the left margin")
    func body() {
        let source = """
            @Suite struct GreetingTests {
                @Test(arguments: [1, 2]) func greets(count: Int) {
                    // A brace in a comment: }
                    for _ in 0..<count {
                        #expect(greeting("}") == "Hello, }")
                    }

                    done()
                }
                func done() {}
            }

            final class GreetingXCTests: XCTestCase {
                func greets() { XCTAssert(true) }
            }
            """
        let suite = SuiteText(source)
        #expect(
            suite.body(of: "GreetingTests/greets(count:)") == """
                // A brace in a comment: }
                for _ in 0..<count {
                    #expect(greeting("}") == "Hello, }")
                }

                done()
                """)
        #expect(suite.body(of: "GreetingXCTests/greets") == "XCTAssert(true)")
        #expect(suite.body(of: "GreetingTests/misses()") == nil)
    }
}
