import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
///
/// Searches begin, and their answers come, through a `Delivery`; then the answers wait for their turn on the scheduler.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        let line = DeliveryScheduler(deliver: Delivery())
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text in
                // All inside, so that the search before is over on the scheduler before the new one begins on the line, and
                // a search that is replaced has nothing waiting anywhere.
                Just(text)
                    .receive(on: line)
                    .flatMap { text -> AnyPublisher<[String], Never> in
                        // A short text has an answer as well: nothing. It takes the place of the search that runs.
                        guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                        return search(text).replaceError(with: []).eraseToAnyPublisher()
                    }
                    .receive(on: line)
                    .receive(on: scheduler)
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}

/// A `Delivery` as a scheduler.
private struct DeliveryScheduler: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never

    let deliver: Delivery

    var now: SchedulerTimeType { DispatchQueue.global().now }
    var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.global().minimumTolerance }

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        deliver(action)
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().schedule(after: date, tolerance: tolerance, options: nil) { deliver(action) }
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        DispatchQueue.global().schedule(after: date, interval: interval, tolerance: tolerance, options: nil) {
            deliver(action)
        }
    }
}
