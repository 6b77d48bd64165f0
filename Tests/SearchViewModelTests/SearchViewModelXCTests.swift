import KataSupport
import SearchViewModel
import XCTest

final class SearchViewModelXCTests: XCTestCase {
    @MainActor func testOnlyTheLastTextOfABurstIsSearched() async throws {
        var values = KataSupport.Values()
        let texts = values.labels(3)
        let screen = await SearchScreen()
        await screen.wait(500)
        for text in texts + [texts[1]] {
            await screen.type(text)
            await screen.wait(100)
        }
        await screen.wait(1_000)
        try screen.searches.expect([(texts[1], .milliseconds(1_100))])
        try await expectOneSearchOfATextThatComesBackAtOnce(texts)
    }

    @MainActor private func expectOneSearchOfATextThatComesBackAtOnce(_ texts: [String]) async throws {
        let screen = await SearchScreen()
        await screen.type(texts[0])
        await screen.wait(100)
        await screen.type(texts[1], texts[0])
        await screen.wait(1_000)
        // Whether a text that comes back at once counts as a change is up to the answer.
        let didNotCount = screen.searches.entries.map(\.time) == [.milliseconds(300)]
        try screen.searches.expect([(texts[0], .milliseconds(didNotCount ? 300 : 400))])
    }

    @MainActor func testTheNextSearchGoesOnAfterAFailure() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.fail(texts[0], with: "offline")
        await screen.search(texts[1])
        try KataSupport.expect(screen.searches.events, equals: texts)
        try await screen.answer(texts[1], with: found)
        try KataSupport.expect(screen.results, equals: found)
    }
}
