import KataSupport
import SearchViewModel
import Testing

@MainActor @Suite(.ownProcess) struct SearchViewModelTests {
    // MARK: - Which texts are searched

    @Test func textsWithPausesAreEachSearched() async throws {
        var values = KataSupport.Values()
        let texts = values.labels(3)
        let screen = await SearchScreen()
        for text in texts { await screen.search(text) }
        try screen.searches.expect([
            (texts[0], .milliseconds(300)), (texts[1], .milliseconds(600)), (texts[2], .milliseconds(900)),
        ])
    }

    @Test func shortTextsAreNotSearched() async throws {
        var values = KataSupport.Values()
        let text = String(values.strings(1)[0].prefix(3))
        let screen = await SearchScreen()
        for length in 1...3 { await screen.search(String(text.prefix(length))) }
        try KataSupport.expect(screen.searches.events, equals: [text])
    }

    @Test func charactersAreCounted() async throws {
        let screen = await SearchScreen()
        for text in ["東京", "👩‍🚀é", "東京駅"] { await screen.search(text) }
        try KataSupport.expect(screen.searches.events, equals: ["東京駅"])
    }

    @Test func aTextIsSearchedAsItWasTyped() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let typed = [text, text.uppercased(), " \(text)", "\(text) ", " É ", "   "]
        let screen = await SearchScreen()
        for text in typed { await screen.search(text) }
        try KataSupport.expect(screen.searches.events, equals: typed)
    }

    @Test func aTextThatIsShortenedInTimeIsNotSearched() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let screen = await SearchScreen()
        await screen.wait(500)
        await screen.type(texts[0])
        await screen.wait(100)
        await screen.type(String(texts[0].prefix(1)))
        await screen.wait(500)
        await screen.search(texts[1])
        try KataSupport.expect(screen.searches.events, equals: [texts[1]])
    }

    // MARK: - Which results are shown

    @Test func resultsAreShown() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(3)
        let screen = await SearchScreen()
        await screen.search(text)
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: found)
    }

    @Test func newerResultsReplaceOlderOnes() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(4)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        let (older, newer) = (Array(found[..<2]), Array(found[2...]))
        try await screen.answer(texts[0], with: older)
        try KataSupport.naming(["older": older]) { try KataSupport.expect(screen.results, equals: older) }
        await screen.search(texts[1])
        try await screen.answer(texts[1], with: newer)
        try KataSupport.naming(["older": older, "newer": newer]) {
            try KataSupport.expect(screen.results, equals: newer)
        }
    }

    @Test func aFailureShowsItsMessage() async throws {
        var values = KataSupport.Values()
        let (text, message) = (values.strings(1)[0], values.strings(1)[0])
        let screen = await SearchScreen()
        await screen.search(text)
        try screen.expectMessage(nil)
        try await screen.fail(text, with: message)
        try screen.expectMessage(message)
    }

    @Test func aFailureShowsNoResults() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.answer(texts[0], with: found)
        try KataSupport.expect(screen.results, equals: found)
        await screen.search(texts[1])
        try await screen.fail(texts[1], with: "offline")
        try KataSupport.expect(screen.results, equals: [])
    }

    @Test func newResultsClearTheMessage() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.fail(texts[0], with: "offline")
        await screen.search(texts[1])
        try await screen.answer(texts[1], with: found)
        try KataSupport.expect(screen.results, equals: found)
        try screen.expectMessage(nil)
    }

    @Test func aSearchThatFindsNothingEmptiesTheList() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.answer(texts[0], with: found)
        try KataSupport.expect(screen.results, equals: found)
        await screen.search(texts[1])
        try await screen.answer(texts[1], with: [])
        try KataSupport.expect(screen.results, equals: [])
    }

    @Test func typingShowsNoMessage() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(3)
        let screen = await SearchScreen()
        for text in texts {
            await screen.type(text)
            try screen.expectMessage(nil)
            await screen.wait(100)
        }
        await screen.wait(500)
        try screen.expectMessage(nil)
        try KataSupport.expect(screen.searches.events, equals: [texts[2]])
    }

    // MARK: - Searches that are replaced

    @Test func aLateAnswerDoesNotReplaceANewerOne() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(4)
        let screen = await SearchScreen(.goesOn)
        await screen.search(texts[0])
        await screen.search(texts[1])
        // A search that waits for the one before has not begun.
        try KataSupport.expect(screen.searches.events, equals: texts)
        let (older, newer) = (Array(found[..<2]), Array(found[2...]))
        try await screen.answer(texts[1], with: newer)
        try KataSupport.naming(["newer": newer]) { try KataSupport.expect(screen.results, equals: newer) }
        try await screen.answer(texts[0], with: older)
        try KataSupport.naming(["older": older, "newer": newer]) {
            try KataSupport.expect(screen.results, equals: newer)
        }
        // The latest search may be for the same text as an earlier one.
        let again = await SearchScreen(.goesOn)
        await again.search(texts[0])
        let first = try again.running(texts[0])
        await again.search(texts[1])
        await again.search(texts[0])
        try KataSupport.expect(again.searches.events, equals: texts + [texts[0]])
        await again.answer(first, with: found)
        try KataSupport.expect(again.results, equals: [])
    }

    @Test func aLateFailureChangesNothing() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen(.goesOn)
        await screen.search(texts[0])
        await screen.search(texts[1])
        try await screen.answer(texts[1], with: found)
        try await screen.fail(texts[0], with: "offline")
        try KataSupport.expect(screen.results, equals: found)
        try screen.expectMessage(nil)
    }

    @Test func aNewSearchCancelsTheOneBefore() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        await screen.search(texts[1])
        try KataSupport.expect(screen.searches.events, equals: texts)
        try await screen.running(texts[0]).cancelled()
    }

    @Test func aTextThatComesBackHasResults() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.type(text + "s")
        await screen.wait(100)
        await screen.type(text)
        await screen.wait(500)
        // The first search may go on, or there is another one.
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: found)
    }

    @Test func anAnswerThatComesWhileSomebodyTypesIsNotLost() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.type(text + "s")
        await screen.wait(100)
        try await screen.answer(text, with: found)
        await screen.type(text)
        await screen.wait(500)
        // There may be another search by now; one that has ended does not end again.
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: found)
    }

    @Test func aTextThatIsShortForAMomentHasResults() async throws {
        var values = KataSupport.Values()
        for isAnswered in [false, true] {
            let text = values.strings(1)[0]
            let found = values.strings(2)
            let screen = await SearchScreen()
            await screen.search(text)
            if isAnswered { try await screen.answer(text, with: found) }
            await screen.type(String(text.prefix(1)))
            await screen.wait(100)
            await screen.type(text)
            await screen.wait(500)
            // The first search may go on, or there is another one; one that has ended does not end again.
            try await screen.answer(text, with: found)
            try KataSupport.expect(screen.results, equals: found)
        }
    }

    @Test func aCancellationIsNoFailure() async throws {
        try await expectNoMessage(.throwsCancellationError)
    }

    @Test func anErrorOfACancelledSearchIsNoFailure() async throws {
        try await expectNoMessage(.throwsAnotherError)
    }

    private func expectNoMessage(_ whenCancelled: Search.Reaction) async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let screen = await SearchScreen(whenCancelled)
        await screen.search(texts[0])
        await screen.type(texts[1])
        try screen.expectMessage(nil)
        await screen.wait(300)
        try KataSupport.expect(screen.searches.events, equals: texts)
        try screen.expectMessage(nil)
    }

    // MARK: - Short texts

    @Test func aShortTextClearsTheResults() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        // An empty field is a short text, too.
        for short in [String(text.prefix(1)), ""] {
            let screen = await SearchScreen()
            await screen.search(text)
            try await screen.answer(text, with: found)
            try KataSupport.expect(screen.results, equals: found)
            await screen.search(short)
            try KataSupport.expect(screen.results, equals: [])
        }
    }

    @Test func aShortTextClearsTheMessage() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        try await screen.fail(text, with: "offline")
        try screen.expectMessage("offline")
        await screen.search(String(text.prefix(1)))
        try screen.expectMessage(nil)
    }

    @Test func aShortTextCancelsTheSearchThatRuns() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.search(String(text.prefix(1)))
        try await screen.running(text).cancelled()
    }

    @Test func anAnswerAfterAShortTextIsNotShown() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let screen = await SearchScreen(.goesOn)
        await screen.search(text)
        await screen.search(String(text.prefix(1)))
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: [])
        try await KataSupport.inCase("busy") { try await expectNoResults(found, of: text) }
    }

    /// The same for an answer that comes right after the quiet period of the short text, while the main actor has other things
    /// to do.
    private func expectNoResults(_ found: [String], of text: String) async throws {
        let screen = await SearchScreen(.goesOn)
        await screen.search(text)
        let (search, clock) = (try screen.running(text), screen.clock)
        await screen.type(String(text.prefix(1)))
        await KataSupport.whileMainActorIsBusy {
            await clock.advance(by: .milliseconds(300))
            search.end(with: .success(found))
        }
        try KataSupport.expect(screen.results, equals: [])
    }

    // MARK: - The end of a view model

    @Test func nothingIsKeptAliveAfterTheRelease() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let probe = KataSupport.LeakProbe()
        let screen = await SearchScreen(holding: probe.token())
        await screen.search(text)
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: found)
        weak let model = screen.model
        await screen.leave()
        try await probe.released()
        try await KataSupport.expectReleased { model }
    }

    @Test func theReleaseCancelsTheSearchThatRuns() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        let search = try screen.running(text)
        weak let model = screen.model
        await screen.leave()
        do {
            try await search.cancelled()
        } catch is KataSupport.DeadlineExceeded where model != nil {
            // Code that keeps the view model keeps its `deinit` from cancelling anything.
            throw ViewModelKept()
        }
    }

    @Test func theReleaseDiscardsTheTextThatWaits() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        await screen.type(texts[1])
        await screen.wait(100)
        await screen.leave()
        await screen.wait(500)
        try KataSupport.expect(screen.searches.events, equals: [texts[0]])
    }
}
