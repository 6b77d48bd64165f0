import Foundation

/// One result of a search.
public struct SearchResult: Codable, Equatable, Sendable {
    public var title: String

    public init(title: String) {
        self.title = title
    }
}

public enum SearchError: Error, Equatable {
    case invalidResponse
}

/// Searches on the server.
public actor SearchService {
    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)

    /// - Parameter load: Sends a request, and returns the body and the status of the response.
    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    /// Returns what the server finds for the query.
    public func performSearch(query: String) async throws -> [SearchResult] {
        // Write this method.
        throw NotWrittenYet()
    }

    /// The URL that asks the server for a query.
    private static func url(for query: String) -> URL {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "api.example.com"
        components.path = "/search"
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        // A plus sign may stay as it is in a query, but many servers read it as a space.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
        return components.url!  // these parts always make a URL
    }
}

/// What the starting code throws. Delete it when you no longer need it.
struct NotWrittenYet: Error {}
