/// Subscribers and subscriptions that look alike are told apart by their identifier.
public protocol CustomCombineIdentifierConvertible {
    /// What tells this one from all others.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier {
        CombineIdentifier(self)
    }
}
