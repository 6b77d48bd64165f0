// Regular expression literals with quotation marks and slashes in them, raw strings, long strings, nested interpolation.
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
/*ANSWER*/
public func matches(_ text: String) -> Bool { text.contains(quoted) || text.firstMatch(of: built) != nil || text == long }
