import Combine
import KataSupport
import SearchPipeline
import Testing

@Suite(.ownProcess) struct SearchPipelineTests {
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

    @Test func theSameTextIsNotSearchedTwiceInARow() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.search(text)
        await screen.wait(300)
        for isAnswered in [false, true] {
            if isAnswered { try await screen.answer(text, with: values.strings(2)) }
            await screen.type(text + "s")
            await screen.wait(100)
            await screen.search(text)
            await screen.wait(300)
            try KataSupport.expect(screen.searches.events, equals: [text])
        }
    }

    @Test func theSameTextIsSearchedAgainAfterAShortOne() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.search(String(text.prefix(1)))
        await screen.search(text)
        try KataSupport.expect(screen.searches.events, equals: [text, text])
    }

    @Test func aTextThatHadAnAnswerIsSearchedAgain() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        for text in [texts[0], texts[1], texts[0]] {
            await screen.search(text)
            try await screen.answer(text, with: found)
        }
        await screen.search(String(texts[0].prefix(1)))
        await screen.search(texts[0])
        try KataSupport.expect(screen.searches.events, equals: [texts[0], texts[1], texts[0], texts[0]])
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

    @Test func aFailureShowsNoResults() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        try await screen.answer(texts[0], with: found)
        try KataSupport.expect(screen.results, equals: found)
        await screen.search(texts[1])
        try await screen.fail(texts[1])
        if screen.results != [] { try screen.expectOneBeginning(of: texts[1]) }
        try KataSupport.expect(screen.results, equals: [])
    }

    @Test func aTextThatWaitsDuringAFailureIsSearched() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        await screen.type(texts[1])
        await screen.wait(100)
        try await screen.fail(texts[0])
        await screen.wait(1_000)
        try screen.searches.expect([(texts[0], .milliseconds(300)), (texts[1], .milliseconds(600))])
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

    // MARK: - Searches that are replaced

    @Test func aLateAnswerDoesNotReplaceANewerOne() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(4)
        let screen = await SearchScreen(.ignoresTheEnd)
        await screen.search(texts[0])
        await screen.search(texts[1])
        let (older, newer) = (Array(found[..<2]), Array(found[2...]))
        try await screen.answer(texts[1], with: newer)
        try KataSupport.naming(["newer": newer]) { try KataSupport.expect(screen.results, equals: newer) }
        try await screen.answer(texts[0], with: older)
        try KataSupport.naming(["older": older, "newer": newer]) {
            try KataSupport.expect(screen.results, equals: newer)
        }
        // The latest search may be for the same text as an earlier one.
        let again = await SearchScreen(.ignoresTheEnd)
        await again.search(texts[0])
        let first = try again.running(texts[0])
        await again.search(texts[1])
        await again.search(texts[0])
        try KataSupport.expect(again.searches.events, equals: texts + [texts[0]])
        await again.answer(first, with: found)
        try KataSupport.expect(again.results, equals: [])
    }

    @Test func anAnswerThatWaitsIsNotShownInANewerSearch() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(texts[0])
        let first = try screen.running(texts[0])
        // Just before the second search begins, the first one answers: its results wait for their turn meanwhile.
        screen.scheduler.schedule(after: screen.scheduler.now.advanced(by: .milliseconds(300))) { first.send(found) }
        await screen.search(texts[1])
        try KataSupport.expect(screen.searches.events, equals: texts)
        // A search may begin a moment later: then the first results were there before, and may stay.
        guard try screen.shown(before: texts[1]) == [] else { return }
        try KataSupport.expect(screen.results, equals: [])
    }

    @Test func aLateFailureDoesNotClearNewerResults() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let found = values.strings(2)
        let screen = await SearchScreen(.ignoresTheEnd)
        await screen.search(texts[0])
        await screen.search(texts[1])
        try await screen.answer(texts[1], with: found)
        try await screen.fail(texts[0])
        try KataSupport.expect(screen.results, equals: found)
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

    @Test func aSearchGoesOnWhenItsTextComesBack() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.type(text + "s")
        await screen.wait(100)
        await screen.type(text)
        await screen.wait(500)
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
            if !isAnswered { try await screen.answer(text, with: found) }
            try KataSupport.expect(screen.results, equals: found)
        }
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
        let screen = await SearchScreen(.ignoresTheEnd)
        await screen.search(text)
        await screen.search(String(text.prefix(1)))
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: [])
    }

    // MARK: - The end of a pipeline

    @Test func nothingIsKeptAliveAfterTheRelease() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let found = values.strings(2)
        let probe = KataSupport.LeakProbe()
        let screen = await SearchScreen(holding: probe.token())
        await screen.search(text)
        try await screen.answer(text, with: found)
        try KataSupport.expect(screen.results, equals: found)
        weak let pipeline = screen.pipeline
        await screen.leave()
        try await probe.released()
        try await KataSupport.expectReleased { pipeline }
    }

    @Test func theReleaseCancelsTheSearchThatRuns() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let screen = await SearchScreen()
        await screen.search(text)
        await screen.leave()
        try await screen.running(text).cancelled()
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
