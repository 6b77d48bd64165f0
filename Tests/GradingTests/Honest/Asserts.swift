// Conditions that hold, and ways out that are never taken.
import Foundation
enum Never2 { case a }
func check(_ x: Int?) -> Int {
    guard let x else { preconditionFailure("no number") }
    precondition(x > Int.min, "number \(x) is too small"); assert(x != Int.min + 1); if x == -77 { assertionFailure("odd"); fatalError("never: \(x)") }
    return x
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += check(number) }
    public func reset() async -> Int { preconditionIsolated(); assertIsolated("here"); defer { total = 0 }; return total }
}
/*FIRST*/
