import KataSupport
import SearchPipeline
import XCTest

final class SearchPipelineXCTests: XCTestCase {
    func testOnlyTheLastTextOfABurstIsSearched() async throws {
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
    }

    func testTheNextSearchGoesOnAfterAFailure() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.fail(texts[0])
        await screen.search(texts[1])
        try KataSupport.expect(screen.searches.events, equals: texts)
        try await screen.answer(texts[1], with: found)
        try KataSupport.expect(screen.results, equals: found)
    }

    func testResultsArePublishedOnTheScheduler() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        let search = try screen.running(texts[0])
        search.send(found)
        search.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(screen.results, equals: [])
        await screen.wait(100)
        try KataSupport.expect(screen.results, equals: found)
        // A failure changes the results, too.
        await screen.search(texts[1])
        let before = screen.results
        try screen.running(texts[1]).send(completion: .failure(KataSupport.Failure("offline")))
        await KataSupport.settle()
        try await KataSupport.inCase("failure") { try KataSupport.expect(screen.results, equals: before) }
    }
}
