// mutant: cancels the loads of earlier photos
// fails: ThumbnailsXCTests/testOtherLoadsGoOn
// hint: ThumbnailsXCTests/testOtherLoadsGoOn others
import Combine

extension Publisher where Output == Int, Failure == Never {
    public func thumbnails(
        load: @escaping (Int) -> AnyPublisher<String, any Error>
    ) -> AnyPublisher<String, Never> {
        map { photo in load(photo).replaceError(with: "placeholder") }
            .switchToLatest()
            .eraseToAnyPublisher()
    }
}
