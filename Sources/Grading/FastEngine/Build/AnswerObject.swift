import Foundation

/// A submission's object, as it is linked: what the runtime does for an access is asked of the scheduler.
///
/// The suite is in the same image, and asks the runtime itself.
enum AnswerObject {
    /// Names of the runtime's, and of the scheduler's functions that stand in their place.
    private static let names = [
        "swift_beginAccess": "races_beginAccess", "swift_endAccess": "races_endAccess", "swift_once": "races_once",
    ]

    static func linked(_ bytes: [UInt8], _ object: ObjectFile) -> Data {
        var names = Data(bytes[object.names])
        for (name, other) in Self.names {
            guard let place = names.range(of: Data([0] + Array(name.utf8) + [0])) else { continue }
            names.replaceSubrange(place, with: [0] + Array(other.utf8) + [0])
        }
        return Data(bytes[..<object.names.lowerBound]) + names + Data(bytes[object.names.upperBound...])
    }
}
