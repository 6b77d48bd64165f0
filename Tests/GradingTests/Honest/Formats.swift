// Formats of C with arguments that go with them.
import Foundation
struct Wrong: Error {}
func texts() throws {
    let expected = ["7", "07", "2.50", "ff", "50%", "a-1", "[    x]", "1e+03", "-3", "b a", "12", "3.14", "\u{41}", "100"]
    let found = [
        String(format: "%d", 7), String(format: "%02d", 7), String(format: "%.2f", 2.5), String(format: "%x", 255),
        String(format: "%d%%", 50), String(format: "%@-%ld", "a", 1), "[" + String(format: "%5@", "x" as NSString) + "]",
        String(format: "%.0e", 1000.0), String(format: "%i", Int8(-3)), String(format: "%2$@ %1$@", "a", "b"),
        String(format: "%lld", arguments: [Int64(12)]), String(format: "%.2f", locale: nil, 3.14159),
        String(format: "%c", 65), String(format: "100%"),
    ]
    for (index, text) in found.enumerated() where text != expected[index] && !text.hasPrefix("[") { throw Wrong() }
    NSLog("%@ and %d", "text", 3)
    print(String.localizedStringWithFormat("%d", 1000), String(format: "plain"))
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { if (try? texts()) != nil { total += number } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
