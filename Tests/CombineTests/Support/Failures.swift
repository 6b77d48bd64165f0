/// A failure that tests can compare.
struct Oops: Error, Equatable, CustomStringConvertible {
    var name = "oops"

    init(_ name: String = "oops") {
        self.name = name
    }

    var description: String { name }
}

/// An object that a closure or a chain may hold, and that must be released at the end.
final class Witness {}
