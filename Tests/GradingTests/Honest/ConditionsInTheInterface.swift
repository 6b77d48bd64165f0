// Parameters whose interface is printed in two ways, with text as default arguments and a type alias beside them.
public func take(_ x: sending Int, _ s: String = ", ") {}
public enum K { case a, b }

public func give(isolation: isolated (any Actor)? = #isolation, file: String = #fileID, line: Int = #line) {}
public struct P: Hashable { public typealias T = Int }
/*ANSWER*/
