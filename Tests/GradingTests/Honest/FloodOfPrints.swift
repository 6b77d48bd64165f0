// Prints two megabytes in each call.
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        for index in 0..<200 { print("line \(index)", String(repeating: "x", count: 80)) }
        total += number
    }
    public func reset() async -> Int {
        for _ in 0..<20_000 { print(String(repeating: "y", count: 100)) }
        defer { total = 0 }
        debugPrint("reset", terminator: "")
        return total
    }
}
/*FIRST*/
