import KataSupport
import ProfileViewModel
import XCTest

final class ProfileViewModelXCTests: XCTestCase {
    @MainActor func testLoadUserShowsTheUser() async throws {
        try await expectUser(through: .loadUser)
    }

    @MainActor func testThePublisherShowsTheUser() async throws {
        try await expectUser(through: .loadUserPublisher)
    }

    @MainActor private func expectUser(through door: Door, _ test: String = #function) async throws {
        var values = KataSupport.Values(for: test)
        let words = values.strings(2)
        let screen = await ProfileScreen()
        await screen.load(words[0], through: door)
        try await screen.answer(words[0], through: door, with: words[1])
        let shown = [screen.model?.user].compactMap(\.self).map { "id \($0.id), name \($0.name)" }
        try KataSupport.expect(shown, equals: ["id \(words[0]), name \(words[1])"])
    }
}
