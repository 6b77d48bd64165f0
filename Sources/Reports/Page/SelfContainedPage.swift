import Foundation
import Storage
import Workbook

/// A page that is one file, needs nothing else, and runs nothing but its own script.
///
/// Its security policy names the digests of its one script and its one style; whatever a learner's name, code or output
/// looks like, it is data in a block that no browser runs.
struct SelfContainedPage {
    /// Each has its own style and script in addition to what all pages share.
    enum Kind: String { case gradebook, learner, replay, comparison, overTime }

    /// What stands before the page's data.
    let head: String
    /// What stands after it.
    let tail: String

    init(_ kind: Kind, title: String, strings: PageStrings) throws {
        let style = try ["page.css", "\(kind.rawValue).css"].map(Self.part).joined()
        let script = try ["page.js", "\(kind.rawValue).js"].map(Self.part).joined()
        var page = try Self.part("page.html")
        let values = [
            "language": strings.language.code,
            "title": PlainText.xml(title),
            "noScript": PlainText.xml(strings(.noScript)),
            "styleDigest": SHA256.digest(of: style).base64,
            "scriptDigest": SHA256.digest(of: script).base64,
        ]
        for (name, value) in values { page = page.replacing("{{\(name)}}", with: value) }
        page = page.replacing("{{style}}", with: style).replacing("{{script}}", with: script)
        let halves = page.split(separator: "{{data}}", maxSplits: 1)
        head = String(halves[0])
        tail = String(halves[1])
    }

    /// The whole page, of data that is at hand.
    func filled(with data: some Encodable) throws -> String { try head + PlainText.scriptJSON(data) + tail }

    private static func part(_ name: String) throws -> String {
        try String(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Web/\(name)"), encoding: .utf8)
    }
}
