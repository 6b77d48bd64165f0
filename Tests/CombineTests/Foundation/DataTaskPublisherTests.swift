import Combine
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers every request of a session without a network: with the path, or with a failure where the path is /lost.
private final class Answering: URLProtocol {
    static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Answering.self]
        return URLSession(configuration: configuration)
    }

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url, url.path != "/lost" else {
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            return
        }
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.path.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

@Suite struct DataTaskPublisherTests {
    private func url(_ path: String) throws -> URL { try #require(URL(string: "http://example.invalid/\(path)")) }

    /// Waits for the end of a publisher and returns all it sent.
    private func signals(of url: URL) async -> (values: [String], end: Subscribers.Completion<URLError>) {
        await withCheckedContinuation { continuation in
            var values: [String] = []
            var kept: AnyCancellable?
            kept = Answering.session.dataTaskPublisher(for: url).sink(
                receiveCompletion: { end in
                    _ = kept
                    continuation.resume(returning: (values, end))
                }, receiveValue: { values.append(String(decoding: $0.data, as: UTF8.self)) })
        }
    }

    @Test func `An answer is a value`() async throws {
        let (values, end) = await signals(of: try url("page"))
        #expect(values == ["/page"])
        guard case .finished = end else {
            Issue.record("It should have finished, it ended with \(end).")
            return
        }
    }

    @Test func `No answer is a failure`() async throws {
        let (values, end) = await signals(of: try url("lost"))
        #expect(values == [])
        guard case .failure(let error) = end else {
            Issue.record("It should have failed, it ended with \(end).")
            return
        }
        #expect(error.code == .networkConnectionLost)
    }

    @Test func `Nothing is asked before there is demand, and nothing comes after a cancel`() throws {
        let publisher = Answering.session.dataTaskPublisher(for: try url("page"))
        var subscription: (any Subscription)?
        var count = 0
        publisher.subscribe(
            AnySubscriber(
                receiveSubscription: { subscription = $0 },
                receiveValue: { _ in
                    count += 1
                    return .none
                }, receiveCompletion: { _ in count += 1 }))
        #expect(subscription.map { String(describing: $0) } == "DataTaskPublisher")
        subscription?.cancel()
        subscription?.request(.unlimited)
        #expect(count == 0)
    }
}
