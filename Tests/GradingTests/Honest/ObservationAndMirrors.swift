// Observable classes, property wrappers, result builders, mirrors, dumps, key paths, dynamic members.
import Observation
import Foundation
@Observable final class Model { var count = 0; var title = "x" }
@propertyWrapper struct Clamped { private var value = 0; init(wrappedValue: Int) { value = wrappedValue }; var wrappedValue: Int { get { value } set { value = min(9, newValue) } } ; var projectedValue: Bool { value == 9 } }
@resultBuilder enum Lines { static func buildBlock(_ parts: String...) -> [String] { parts } ; static func buildOptional(_ part: [String]?) -> String { part?.first ?? "" } }
@dynamicMemberLookup struct Box { subscript(dynamicMember name: String) -> Int { name.count } }
struct Uses { @Clamped var level = 3; @Lines var lines: [String] { "a"; "b" } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        let model = Model()
        withObservationTracking { _ = model.count } onChange: {}
        model.count += number
        var uses = Uses(); uses.level = 20
        let path = \Uses.level
        var text = ""
        dump(uses, to: &text)
        if Mirror(reflecting: uses).children.count > 0, uses[keyPath: path] == 9, uses.$level, Box().abc == 3, uses.lines.count == 2 { total += model.count }
    }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
