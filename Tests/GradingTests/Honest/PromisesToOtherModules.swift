// What a library promises to those who use it.
@frozen public struct Point { public var x = 1; @usableFromInline var y = 2; @inlinable public init() {} }
@frozen public enum Side { case left, right }
@inlinable public func twice(_ number: Int) -> Int { number * 2 }
@inlinable @inline(__always) func thrice(_ number: Int) -> Int { number * 3 }
@usableFromInline internal func once(_ number: Int) -> Int { number }
/*ANSWER*/
