/// A failure that tests know again.
struct Oops: Error, Equatable, CustomStringConvertible {
    var name = "oops"

    init(_ name: String = "oops") {
        self.name = name
    }

    var description: String { name }
}

/// An object that a closure or a chain may hold, and that must be gone at the end.
final class Witness {}
