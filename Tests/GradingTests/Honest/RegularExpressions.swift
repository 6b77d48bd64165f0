// Regular expression literals with quotation marks and slashes in them, raw strings, long strings, nested interpolation,
// and the older NSRegularExpression with its matches and ranges.
import Foundation
import RegexBuilder
let quoted = #/"([^"]*)"|@_x|\/#\//#
let built = Regex { OneOrMore(.digit); Optionally("-"); Capture(OneOrMore(.word)) }
let raw = #"a "quoted" \(not) \#("interpolated \("nested \(1 + 1)")")"#
let long = """
    @_cdecl("not code") unsafe import Testing
    \(raw) \("""
    inner
    """)
    """
/* @_transparent /* nested import XCTest */ unsafe x */
let classic = try! NSRegularExpression(pattern: #"\A([A-Z]+)-(?<number>[0-9]+)\z"#)
func number(in text: String) -> Substring? {
    guard let match = classic.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) else { return nil }
    return Range(match.range(withName: "number"), in: text).map { text[$0] }
}
/*ANSWER*/
public func matches(_ text: String) -> Bool { text.contains(quoted) || text.firstMatch(of: built) != nil || text == long || number(in: text) != nil }
