import Foundation

/// One line of what XCTest prints: it has no other report that is there before the process ends.
///
/// On Linux a test is `'Suite.test'`, on macOS `'-[Module.Suite test]'`.
enum XCTestLine: Equatable {
    case started(String)
    case ended(String, skipped: Bool)
    /// A failure, or the first line of one.
    case issue(String, text: String)
    /// A line about suites and figures.
    case frame
    /// A line of someone else's.
    case other

    init(_ line: some StringProtocol) {
        let line = Substring(line)
        if let range = line.range(of: "Test Case '") {
            self = Self.testCase(line[range.upperBound...]) ?? .other
        } else if let range = line.range(of: ": error: "), let issue = Self.issue(line[range.upperBound...]) {
            self = issue
        } else if line.hasPrefix("Test Suite '") || line.hasPrefix("\t Executed ") {
            self = .frame
        } else if line.firstMatch(of: #/^.+:\d+: [^ ]+ : Test skipped/#) != nil {
            self = .frame
        } else {
            self = .other
        }
    }

    private static func testCase(_ text: Substring) -> XCTestLine? {
        guard let quote = text.range(of: "' "), let test = id(text[..<quote.lowerBound]) else { return nil }
        let what = text[quote.upperBound...]
        if what.hasPrefix("started") { return .started(test) }
        if what.hasPrefix("passed") || what.hasPrefix("failed") { return .ended(test, skipped: false) }
        return what.hasPrefix("skipped") ? .ended(test, skipped: true) : nil
    }

    private static func issue(_ text: Substring) -> XCTestLine? {
        guard let separator = text.range(of: " : "), let test = id(text[..<separator.lowerBound]) else { return nil }
        return .issue(test, text: String(text[separator.upperBound...]))
    }

    /// A test's name as `kata.json` has it: `Suite/test`.
    private static func id(_ name: Substring) -> String? {
        if name.hasPrefix("-["), name.hasSuffix("]") {
            let parts = name.dropFirst(2).dropLast().split(separator: " ")
            guard parts.count == 2, let suite = parts[0].split(separator: ".").last else { return nil }
            // An asynchronous or throwing test is known by its Objective-C selector.
            var test = parts[1]
            for ending in ["WithCompletionHandler:", "AndReturnError:"] where test.hasSuffix(ending) {
                test = test.dropLast(ending.count)
            }
            return "\(suite)/\(test)"
        }
        let parts = name.split(separator: ".")
        guard parts.count >= 2, !name.contains(" ") else { return nil }
        return parts.suffix(2).joined(separator: "/")
    }
}
