import Combine
import KataSupport
import Testing
import Thumbnails

@Suite(.ownProcess) struct ThumbnailsTests {
    @Test func photosAfterAFailureAreLoaded() async throws {
        var values = KataSupport.Values()
        let photos = KataSupport.ProbePublisher<Int, Never>()
        let name = values.labels(1)[0]
        let subscriber = KataSupport.ProbeSubscriber<String, Never>()
        photos.thumbnails { photo in
            photo == 1
                ? Fail(error: KataSupport.Failure("offline")).eraseToAnyPublisher()
                : Just(name).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }
        .subscribe(subscriber)
        try await photos.subscribed()
        photos.send(1)
        photos.send(2)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["placeholder", name])
        subscriber.cancel()
    }
}
