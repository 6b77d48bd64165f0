import Foundation
import KataSupport
import SearchViewModel

/// A search field with its list of results. A test types, lets time pass, and answers the searches that have begun.
@MainActor final class SearchScreen {
    let clock = KataSupport.TestClock()
    /// The texts that were searched, with their times; the input is what was typed.
    let searches: KataSupport.Log<String>
    private let begun = KataSupport.Log<Search>()
    private(set) var model: SearchViewModel?

    /// - Parameters:
    ///   - whenCancelled: What a search does when its task is cancelled.
    ///   - token: What the search function keeps alive.
    init(_ whenCancelled: Search.Reaction = .throwsCancellationError, holding token: KataSupport.LeakProbe.Token? = nil)
        async
    {
        searches = KataSupport.Log(time: clock)
        await KataSupport.settle()
        model = SearchViewModel(clock: clock) { [searches, begun] text in
            let search = Search(text)
            searches.record(text)
            begun.record(search)
            defer { withExtendedLifetime(token) {} }
            return try await search.run(whenCancelled)
        }
        await KataSupport.settle()
    }

    var results: [String] { model?.results ?? [] }

    /// An array shows what is not there as “–”.
    func expectMessage(_ message: String?) throws {
        try KataSupport.expect([model?.errorMessage].compactMap(\.self), equals: [message].compactMap(\.self))
    }

    /// Several texts come so close together that nothing happens between them.
    func type(_ texts: String...) async {
        for text in texts {
            searches.input(text)
            model?.searchText = text
        }
        await KataSupport.settle()
    }

    func wait(_ milliseconds: Int) async {
        await clock.advance(by: .milliseconds(milliseconds))
    }

    /// Types a text and waits until its search has begun.
    func search(_ text: String) async {
        await type(text)
        await wait(300)
    }

    /// The latest search for this text.
    func running(_ text: String) throws -> Search {
        let search = begun.events.last { $0.text == text }
        if let search { return search }
        try KataSupport.expect(searches.events.filter { $0 == text }, equals: [text])
        throw KataSupport.Mismatch(expected: text, actual: "–", kind: .nothing)
    }

    func answer(_ text: String, with results: [String]) async throws {
        try await answer(running(text), with: results)
    }

    func answer(_ search: Search, with results: [String]) async {
        search.end(with: .success(results))
        await KataSupport.settle()
    }

    func fail(_ text: String, with message: String) async throws {
        try running(text).end(with: .failure(Offline(message: message)))
        await KataSupport.settle()
    }

    /// Leaves the screen: nobody but the view model itself holds the view model any more.
    func leave() async {
        model = nil
        await KataSupport.settle()
    }
}

/// A search that runs until the test ends it.
final class Search: Sendable {
    enum Reaction: Sendable {
        case throwsCancellationError
        /// As `URLSession` does.
        case throwsAnotherError
        case goesOn
    }

    let text: String
    private let gate = KataSupport.Gate()
    private let result = KataSupport.Observed<Result<[String], any Error>>(.success([]))
    private let cancellations = KataSupport.Observed(0)

    init(_ text: String) {
        self.text = text
    }

    func run(_ whenCancelled: Reaction) async throws -> [String] {
        if whenCancelled == .goesOn {
            await gate.passEvenIfCancelled()
        } else {
            do {
                try await gate.pass()
            } catch {
                cancellations.update { $0 += 1 }
                throw whenCancelled == .throwsAnotherError ? Offline(message: "cancelled") : error
            }
        }
        return try result.value.get()
    }

    func end(with result: Result<[String], any Error>) {
        self.result.update { $0 = result }
        gate.open()
    }

    /// Waits until the search is cancelled.
    func cancelled() async throws {
        try await cancellations.until(for: .cancellation, showing: { "\($0)/1" }) { $0 > 0 }
    }
}

/// The view model is still in memory, although nothing should hold it: what `KataSupport` says of a leak, with a kind of its own.
struct ViewModelKept: KataSupport.FindingError {
    var finding: KataSupport.Finding { .init(key: "leakedArrived", arguments: ["SearchViewModel"], kind: .different) }
    var prose: String { "The view model was not released." }
}

/// An error with a message for people.
struct Offline: LocalizedError {
    var message: String

    var errorDescription: String? { message }
}
