// mutant: a short text does not change which text was the last
// fails: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne()
// fails: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain()
// hint: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne() sameAgain
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        var last = ""
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .filter { text in
                defer { if text.count >= 3 { last = text } }
                return text != last
            }
            .map { text -> AnyPublisher<[String], Never> in
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                return search(text)
                    .replaceError(with: [])
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
