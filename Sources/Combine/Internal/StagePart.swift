/// A subscriber that stands for a stage with more than one upstream, and passes for it.
@usableFromInline
protocol StagePart: Subscriber, StageDescription {
    associatedtype Stage: CustomCombineIdentifierConvertible & StageDescription

    var stage: Stage { get }
}

extension StagePart {
    @inlinable
    var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

    @usableFromInline
    var description: String { stage.description }

    @usableFromInline
    var customMirror: Mirror { stage.customMirror }
}
