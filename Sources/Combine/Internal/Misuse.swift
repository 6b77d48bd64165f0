/// Apple's Combine stops the program where a publisher or a subscriber breaks the rules between them in a way that no
/// operator could make good. So does this one, in the same places, and says which rule it was.
@inline(never)
@usableFromInline
func misuse(_ rule: StaticString) -> Never { fatalError("\(rule)") }

extension Subscribers.Demand {
    /// Stops the program where nothing is asked for.
    @inline(__always)
    @inlinable
    func requireSome() {
        if self == .none { misuse("A subscriber must ask for at least one value.") }
    }
}
