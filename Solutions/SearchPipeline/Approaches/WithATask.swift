// right: each search is a task that loops over `values`
import Combine
import Foundation

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private var texts: AnyCancellable?
    private var task: Task<Void, Never>?
    private var searches = 0

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        texts =
            $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .sink { [weak self] text in
                guard let self else { return }
                task?.cancel()
                searches += 1
                guard text.count >= 3 else {
                    results = []
                    return
                }
                task = Task { [weak self, number = searches] in
                    do {
                        for try await found in search(text).values {
                            scheduler.schedule { self?.show(found, of: number) }
                        }
                    } catch {
                        scheduler.schedule { self?.show([], of: number) }
                    }
                }
            }
    }

    deinit {
        task?.cancel()
    }

    /// Runs on the scheduler, as the end of a quiet period does.
    private func show(_ found: [String], of number: Int) {
        if number == searches { results = found }
    }
}
