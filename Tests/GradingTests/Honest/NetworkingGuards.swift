// The same guard in other forms.
#if canImport(Combine)
import Combine
#if os(Linux)
#if canImport(FoundationNetworking)
@preconcurrency import FoundationNetworking
#else
import Foundation
#endif
#endif
#endif
#if !canImport(FoundationNetworking)
public import Foundation
#else
internal import FoundationNetworking; import Foundation
fileprivate import struct FoundationNetworking.URLRequest
#endif
import FoundationNetworking // for servers
let now = Date()
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
