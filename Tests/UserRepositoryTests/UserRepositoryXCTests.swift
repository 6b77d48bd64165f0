import Combine
import Foundation
import KataSupport
import UserRepository
import XCTest

final class UserRepositoryXCTests: XCTestCase {
    func testLoadsTheAddressOfTheUser() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let id = values.strings(1)[0]
        let loaded = KataSupport.Log<String>()
        let repository = UserRepository { url in
            loaded.record(url.absoluteString)
            return Data(#"{"id":"\#(id)","name":"Ana"}"#.utf8)
        }
        let fetch = Task { try await repository.fetchUser(id: id) }
        _ = try await KataSupport.result(of: fetch)
        try KataSupport.expect(loaded.events, equals: ["https://api.example.com/users/\(id)"])
    }

    func testReturnsTheUserThatWasLoaded() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let body = #"{"id":"\#(words[0])","name":"\#(words[1])"}"#
        let repository = UserRepository { _ in Data(body.utf8) }
        let fetch = Task { try await repository.fetchUser(id: words[0]) }
        let result = try await KataSupport.result(of: fetch)
        try KataSupport.expect(result.map(\.parts), equals: "id \(words[0]), name \(words[1])")
    }

    func testCancellingTheCallerCancelsTheLoad() async throws {
        await KataSupport.settle()
        let load = KataSupport.CancellationProbe()
        let repository = UserRepository { _ in
            try await load.run()
            return Data()
        }
        let caller = Task { try await repository.fetchUser(id: "1") }
        try await load.started()
        caller.cancel()
        try await load.cancelled()
    }
}

extension User {
    /// What is compared: the answer declares the type, and may say that all users are equal.
    var parts: String { "id \(id), name \(name)" }
}
