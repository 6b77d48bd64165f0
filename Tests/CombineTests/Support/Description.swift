import Combine
import Testing

/// How a subscription describes itself: its name, and the labels of its mirror.
struct SelfDescription: Equatable {
    var name: String
    var labels: [String] = []

    init(_ name: String, labels: [String] = []) {
        self.name = name
        self.labels = labels
    }

    /// Describes the subscription that a publisher gives.
    init<P: Publisher>(of publisher: P, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var received: (any Subscription)?
        publisher.subscribe(AnySubscriber(receiveSubscription: { received = $0 }))
        let subscription = try #require(received, sourceLocation: sourceLocation)
        name = String(describing: subscription)
        let reflectable = try #require(subscription as? any CustomReflectable, sourceLocation: sourceLocation)
        labels = reflectable.customMirror.children.compactMap(\.label)
        let displayable = try #require(
            subscription as? any CustomPlaygroundDisplayConvertible, sourceLocation: sourceLocation)
        #expect(displayable.playgroundDescription as? String == name, sourceLocation: sourceLocation)
        subscription.cancel()
    }
}
