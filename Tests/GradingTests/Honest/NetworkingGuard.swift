// The guard of code for several platforms, whose networking is not used here.
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
