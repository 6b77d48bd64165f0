// Public types that are named as the support library names its own.
/*ANSWER*/
public struct Event { public var label = "" ; public init() {} }
public actor Gate { public init() {} ; public func open() {} }
public struct Values { public init() {} }
public struct Failure: Error { public init() {} }
public enum Deadline { case now }
public struct Finding { public init() {} }
public func expect(_ value: Int, equals other: Int) {}
