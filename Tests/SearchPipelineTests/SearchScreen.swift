import Combine
import KataSupport
import SearchPipeline

/// A search field with its list of results. A test types, lets time pass, and answers the searches that have begun.
final class SearchScreen {
    typealias Search = KataSupport.ProbePublisher<[String], any Error>

    let scheduler = KataSupport.TestScheduler()
    /// The texts that were searched, with their times; the input is what was typed.
    let searches: KataSupport.Log<String>
    /// The searches, each with the results that were there when it began.
    private let begun = KataSupport.Log<(text: String, search: Search, shown: [String])>()
    private(set) var pipeline: SearchPipeline?

    /// - Parameters:
    ///   - conduct: Whether a search that was cancelled still answers.
    ///   - token: What the search function keeps alive.
    init(_ conduct: Search.Conduct = .correct, holding token: KataSupport.LeakProbe.Token? = nil) async {
        searches = KataSupport.Log(time: scheduler)
        await KataSupport.settle()
        pipeline = SearchPipeline(scheduler: scheduler) { [searches, begun, weak self] text in
            let search = Search(conduct)
            searches.record(text)
            begun.record((text, search, self?.results ?? []))
            return withExtendedLifetime(token) { search.eraseToAnyPublisher() }
        }
        await catchUp()
    }

    var results: [String] { pipeline?.results ?? [] }

    func type(_ text: String) async {
        searches.input(text)
        pipeline?.searchText = text
        await catchUp()
    }

    /// Lets time pass in small steps.
    func wait(_ milliseconds: Int) async {
        for _ in 0..<milliseconds / 100 {
            scheduler.advance(by: .milliseconds(100))
            await catchUp()
        }
    }

    /// Types a text and waits until its search has begun.
    func search(_ text: String) async {
        await type(text)
        await wait(300)
    }

    /// The latest search for this text.
    func running(_ text: String) throws -> Search { try latest(text).search }

    /// The results that were there when the latest search for this text began.
    func shown(before text: String) throws -> [String] { try latest(text).shown }

    private func latest(_ text: String) throws -> (text: String, search: Search, shown: [String]) {
        if let latest = begun.events.last(where: { $0.text == text }) { return latest }
        try KataSupport.expect(searches.events.filter { $0 == text }, equals: [text])
        throw KataSupport.Mismatch(expected: text, actual: "–", kind: .nothing)
    }

    /// A failure that begins the search again is another mistake than one that leaves the old results.
    func expectOneBeginning(of text: String) throws {
        let count = begun.events.filter { $0.text == text }.reduce(0) { $0 + $1.search.subscriptions }
        guard count > 1 else { return }
        throw KataSupport.Mismatch(
            expected: text, actual: Array(repeating: text, count: count).joined(separator: ", "), kind: .different)
    }

    func answer(_ text: String, with results: [String]) async throws {
        try await answer(running(text), with: results)
    }

    func answer(_ search: Search, with results: [String]) async {
        search.send(results)
        search.send(completion: .finished)
        await catchUp()
    }

    func fail(_ text: String) async throws {
        try running(text).send(completion: .failure(KataSupport.Failure("offline")))
        await catchUp()
    }

    /// Leaves the screen: nobody but the pipeline itself holds the pipeline any more.
    func leave() async {
        pipeline = nil
        await catchUp()
    }

    /// Lets all that was set off happen, also what waits on the scheduler without a time.
    private func catchUp() async {
        await KataSupport.settle()
        scheduler.advance()
        await KataSupport.settle()
    }
}
