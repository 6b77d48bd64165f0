// What Xcode's templates add to a type.
@DebugDescription public struct Point: CustomDebugStringConvertible {
    public var x = 1, y = 2
    public var debugDescription: String { "(\(x), \(y))" }
}
@DebugDescription final class Named { let name = "a"; var debugDescription: String { "named \(name)" } }
/*ANSWER*/
