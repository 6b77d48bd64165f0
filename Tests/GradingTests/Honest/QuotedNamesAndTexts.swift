// Names in backticks and texts with brackets in the interface, beside declarations that the suite's object could carry.
public enum Kind { case `default`, `in`, `some (odd name` ; public static func `self`() {} }
public func `does "it"`() {}
public func load(_ place: String = "https://example.org/c?d=[1]#x", separator: Character = "\n") {}
public struct Pair: Hashable { public typealias Number = Int }
/*ANSWER*/
