/// Holds a stage's downstream. A stage that lets go of it at its end needs an optional, and an optional of a type that is
/// not known when the module is compiled costs a search at run time whenever it is touched. A reference costs nothing.
final class Outlet<Downstream: Subscriber> {
    let downstream: Downstream

    init(_ downstream: Downstream) {
        self.downstream = downstream
    }

    @inline(__always)
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }
}
