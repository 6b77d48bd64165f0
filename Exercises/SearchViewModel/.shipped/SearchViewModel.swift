import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]

    /// - Parameters:
    ///   - clock: Whose time counts.
    ///   - search: Finds what belongs to a text.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }
}
