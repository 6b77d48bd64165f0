/// Identifiers distinguish subscribers and subscriptions that are otherwise alike.
public protocol CustomCombineIdentifierConvertible {
    /// Distinguishes this one from all others.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier {
        CombineIdentifier(self)
    }
}
