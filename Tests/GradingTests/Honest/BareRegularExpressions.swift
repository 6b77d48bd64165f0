// Regular expressions between slashes, and divisions.
let digits = /[0-9]+/
let quoted = /"([^"]*)"/
let path = /\/usr\/(?<name>\w+)/
func matches(_ text: String) -> Bool {
    let parts = text.split(separator: /,\s*/)
    if text.contains(/a|b/), text.wholeMatch(of: digits) != nil { return true }
    return parts.contains { $0.firstMatch(of: quoted) != nil } || text.firstMatch(of: path)?.name == "bin"
}
func half(_ a: Int, _ b: Int) -> Int { a / 2 + b/2 + (a+b)/4 }  // not a regular expression
/*ANSWER*/
