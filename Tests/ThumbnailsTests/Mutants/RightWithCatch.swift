// right: another publisher takes the place of the one that fails
import Combine

extension Publisher where Output == Int, Failure == Never {
    public func thumbnails(
        load: @escaping (Int) -> AnyPublisher<String, any Error>
    ) -> AnyPublisher<String, Never> {
        map { photo in load(photo).catch { _ in Just("placeholder") } }
            .flatMap { $0 }
            .eraseToAnyPublisher()
    }
}
