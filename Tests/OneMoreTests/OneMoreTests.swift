import Combine
import KataSupport
import OneMore
import Testing

@Suite(.ownProcess) struct OneMoreTests {
    @Test func oneValueIsAskedForFirst() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.subscribe(OneMore<Int> { _ in })
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
    }
}
