import Combine

extension Scenario {
    /// A subscriber of Combine's own, whose subscription comes when it is told to.
    private static func sink(
        _ name: String, _ make: @escaping (Source<Int>, @escaping () -> Void) -> AnyCancellable
    ) -> [Scenario] {
        [true, false].map { isLate in
            Scenario(name: name + (isLate ? ", before its subscription" : "")) { _ in
                let source = Source<Int>(isLate: isLate)
                var events = 0
                let cancellable = make(source) { quietly { events += 1 } }
                var isCancelled = false
                let cancel = Action(name: "a cancel") {
                    // Before its subscription it goes on, as Apple's does.
                    let counts = quietly { source.isConnected }
                    cancellable.cancel()
                    quietly { isCancelled = counts }
                }
                let connect = Action(name: "the subscription", run: source.connect)
                return Situation(
                    actions: source.actions() + [cancel] + (isLate ? [connect] : []),
                    check: {
                        source.connect()
                        let before = events
                        source.send(3)
                        expect(!isCancelled || events == before, "something came after a cancel")
                        expect(!isCancelled || source.isLeft, "the upstream was not cancelled")
                        cancellable.cancel()
                    })
            }
        }
    }

    static let sinks: [Scenario] =
        sink("sink") { source, note in source.sink(receiveCompletion: { _ in note() }, receiveValue: { _ in note() }) }
        + sink("assign") { source, note in
            source.replaceError(with: 0).map { number in
                note()
                return number
            }.assign(to: \.published, on: Box())
        }

    private final class Box {
        @Published var published = 0
    }
}
