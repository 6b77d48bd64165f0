// mutant: an answer that comes while another text is in the field is dropped
// fails: SearchPipelineTests/anAnswerThatComesWhileSomebodyTypesIsNotLost()
// hint: SearchPipelineTests/anAnswerThatComesWhileSomebodyTypesIsNotLost() answerWhileTyping
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { [weak self] text -> AnyPublisher<[String], Never> in
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                return search(text)
                    .replaceError(with: [])
                    .receive(on: scheduler)
                    .filter { [weak self] _ in self?.searchText == text }
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
