// Prints on the way, on both streams, and a log of its own.
import Foundation
struct StandardError: TextOutputStream { func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) } }
func log(_ items: Any..., file: String = #fileID, line: Int = #line, function: String = #function) {
    print("[\(Date())] \(file):\(line) \(function)", items.map { "\($0)" }.joined(separator: " "), separator: " ", terminator: "\n")
    debugPrint(items); dump(items)
    var standardError = StandardError(); print("careful", to: &standardError)
    NSLog("%@", "a message"); fflush(stdout); fputs("to the other stream\n", stderr)
}
public actor Tally {
    public private(set) var total = 0 { didSet { log("total", oldValue, total) } }
    public init() {}
    public func add(_ number: Int) { total += number }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
