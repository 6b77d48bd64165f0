import ColdFuture
import KataSupport
import Testing

@Suite(.ownProcess) struct ColdFutureTests {
    @Test func nothingStartsBeforeSomebodySubscribes() async throws {
        let history = KataSupport.Log<String>()
        let publisher = coldFuture { answer in
            history.record("request")
            answer(.success("Ana"))
        }
        await KataSupport.settle()
        history.record("subscribe")
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        publisher.subscribe(subscriber)
        try await subscriber.ended()
        try KataSupport.expect(history.events, equals: ["subscribe", "request"])
    }
}
