// Availability, conditional compilation and warnings, as code from another platform has them.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif
#if os(macOS) && swift(>=5)
let platform = "mac"
#else
let platform = "other"
#endif
#warning("not done yet")
@available(macOS 15, iOS 18, *)
public struct New { public init() {} }
@available(*, deprecated, renamed: "New") public struct Old { public init() {} }
@discardableResult @inline(__always) func helper(_ file: String = #fileID, _ line: Int = #line) -> String { "\(file):\(line) \(#function)" }
/*ANSWER*/
func use() { helper(); _ = Old(); if #available(macOS 15, *) { _ = New() } }
