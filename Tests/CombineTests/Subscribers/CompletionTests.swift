import Combine
import Foundation
import Testing

@Suite struct CompletionTests {
    private struct Known: Error, Codable, Hashable {
        var code: Int
    }

    private func json(_ completion: Subscribers.Completion<Known>) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(completion), as: UTF8.self)
    }

    @Test func `A completion is encoded as a success or an error`() throws {
        #expect(try json(.finished) == #"{"success":true}"#)
        #expect(try json(.failure(Known(code: 3))) == #"{"error":{"code":3},"success":false}"#)
    }

    @Test func `A completion survives being encoded`() throws {
        for completion in [Subscribers.Completion<Known>.finished, .failure(Known(code: 3))] {
            let data = try JSONEncoder().encode(completion)
            #expect(try JSONDecoder().decode(Subscribers.Completion<Known>.self, from: data) == completion)
        }
        #expect(Set<Subscribers.Completion<Known>>([.finished, .finished, .failure(Known(code: 1))]).count == 2)
    }
}
