import Combine
import KataSupport
import Thumbnails
import XCTest

final class ThumbnailsXCTests: XCTestCase {
    func testOtherLoadsGoOn() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.labels(1)[0]
        let photos = KataSupport.ProbePublisher<Int, Never>()
        let (slow, quick) = (
            KataSupport.ProbePublisher<String, any Error>(), KataSupport.ProbePublisher<String, any Error>()
        )
        let subscriber = KataSupport.ProbeSubscriber<String, Never>()
        photos.thumbnails { photo in (photo == 1 ? slow : quick).eraseToAnyPublisher() }.subscribe(subscriber)
        defer { subscriber.cancel() }
        try await photos.subscribed()
        photos.send(1)
        photos.send(2)
        try await slow.subscribed()
        try await quick.subscribed()
        quick.send(completion: .failure(KataSupport.Failure("offline")))
        slow.send(name)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["placeholder", name])
    }
}
