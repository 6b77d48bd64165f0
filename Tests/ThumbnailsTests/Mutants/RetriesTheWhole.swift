// mutant: subscribes to all photos once more after a failure
// fails: ThumbnailsTests/photosAfterAFailureAreLoaded()
// fails: ThumbnailsXCTests/testOtherLoadsGoOn
// hint: ThumbnailsTests/photosAfterAFailureAreLoaded() failure.missing
import Combine

extension Publisher where Output == Int, Failure == Never {
    public func thumbnails(
        load: @escaping (Int) -> AnyPublisher<String, any Error>
    ) -> AnyPublisher<String, Never> {
        flatMap { photo in load(photo) }
            .retry(5)
            .replaceError(with: "placeholder")
            .eraseToAnyPublisher()
    }
}
