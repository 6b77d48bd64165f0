import Combine

extension Publisher where Output == Int, Failure == Never {
    /// The picture of each photo, or `placeholder` if it cannot be loaded.
    public func thumbnails(
        load: @escaping (Int) -> AnyPublisher<String, any Error>
    ) -> AnyPublisher<String, Never> {
        // One photo that cannot be loaded ends all of them. Replace the error of that one only.
        flatMap { photo in load(photo) }
            .replaceError(with: "placeholder")
            .eraseToAnyPublisher()
    }
}
