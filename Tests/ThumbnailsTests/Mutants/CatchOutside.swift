// mutant: catches the error after `flatMap`
// fails: ThumbnailsTests/photosAfterAFailureAreLoaded()
// fails: ThumbnailsXCTests/testOtherLoadsGoOn
// hint: ThumbnailsTests/photosAfterAFailureAreLoaded() failure
import Combine

extension Publisher where Output == Int, Failure == Never {
    public func thumbnails(
        load: @escaping (Int) -> AnyPublisher<String, any Error>
    ) -> AnyPublisher<String, Never> {
        flatMap { photo in load(photo) }
            .catch { _ in Just("placeholder") }
            .eraseToAnyPublisher()
    }
}
