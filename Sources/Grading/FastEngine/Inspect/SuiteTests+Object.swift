import Workbook

extension SuiteTests {
    /// Reads the names of a suite's tests from its object.
    ///
    /// A test of Swift Testing is known by what its macro adds to the suite, a test of XCTest by its class, which has an
    /// initializer that takes a test.
    init(_ object: ObjectFile, module: String) {
        var methods: Set<String> = []
        var classes: Set<Substring> = []
        var expansions: Set<String> = []
        for symbol in object.symbols where symbol.section != nil {
            guard let text = demangled(symbol.name) else { continue }
            if let start = text.firstRange(of: "($s"), text[start.upperBound...].contains("4TestfMp_") {
                expansions.insert(String(text[start.lowerBound...].dropFirst().prefix { $0 != " " && $0 != ")" }))
            }
            guard let (name, rest) = Self.function(text, module) else { continue }
            functions.insert(name)
            if rest.hasPrefix("()") { methods.insert(name) }
            if name.hasSuffix("/init"), rest.hasPrefix("(name: Swift.String, testClosure: ") {
                classes.insert(name.dropLast("/init".count))
            }
        }
        tests = methods.filter { name in
            guard let slash = name.lastIndex(of: "/") else { return false }
            return classes.contains(name[..<slash]) && name[slash...].hasPrefix("/test")
        }
        for expansion in expansions {
            // `unique name #1 of … in peer macro @Test expansion #1 of adds in TallyTests.TallyTests`
            let pattern = /.* @Test expansion #[0-9]+ of (.+) in ([^ ]+)/
            guard let match = demangled(expansion)?.wholeMatch(of: pattern) else { continue }
            tests.insert((match.2.split(separator: ".").dropFirst() + [match.1]).joined(separator: "/"))
        }
    }

    /// The name of the function that a demangled symbol stands for, and what follows the name.
    private static func function(_ text: String, _ module: String) -> (name: String, rest: Substring)? {
        let symbol = text.hasPrefix("static ") ? text.dropFirst("static ".count) : text[...]
        guard symbol.hasPrefix("\(module)."), let end = symbol.firstIndex(where: { $0 == "(" || $0 == "<" }) else {
            return nil
        }
        let path = symbol[..<end].split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        return path.contains("") ? nil : (path.joined(separator: "/"), symbol[end...])
    }
}
