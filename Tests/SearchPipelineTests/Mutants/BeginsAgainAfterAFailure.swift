// mutant: a failure ends the whole pipeline, and a new one begins without the text that waits
// fails: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched()
// hint: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched() waitsForIt
import Combine

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        Self.found(in: $searchText.eraseToAnyPublisher(), scheduler, search)
            .assign(to: &$results)
    }

    private static func found<S: Scheduler>(
        in texts: AnyPublisher<String, Never>, _ scheduler: S,
        _ search: @escaping (String) -> AnyPublisher<[String], any Error>
    ) -> AnyPublisher<[String], Never> {
        texts
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .map { $0.count < 3 ? nil : $0 }
            .removeDuplicates()
            .setFailureType(to: (any Error).self)
            .map { (text: String?) -> AnyPublisher<[String], any Error> in
                guard let text else {
                    return Just([]).setFailureType(to: (any Error).self).eraseToAnyPublisher()
                }
                return search(text).receive(on: scheduler).eraseToAnyPublisher()
            }
            .switchToLatest()
            .catch { _ in
                Just([]).append(found(in: texts.dropFirst().eraseToAnyPublisher(), scheduler, search))
            }
            .eraseToAnyPublisher()
    }
}
