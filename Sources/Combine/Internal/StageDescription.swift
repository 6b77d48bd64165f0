/// Each part of a chain describes itself: `description` is the operator's name, `customMirror` shows its state. As with
/// Apple's, most show no state.
@usableFromInline
protocol StageDescription: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
    var mirrorChildren: [Mirror.Child] { get }
}

extension StageDescription {
    @usableFromInline
    var mirrorChildren: [Mirror.Child] { [] }

    @usableFromInline
    var customMirror: Mirror { Mirror(self, children: mirrorChildren) }

    @usableFromInline
    var playgroundDescription: Any { description }
}
