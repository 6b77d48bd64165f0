import Foundation
import Storage
import Testing

@testable import Grading
@testable import Workbook

@Suite("The answers of the workbook") struct KnownSourcesTests {
    /// The model answer and the other right ones, by their paths.
    private static func rightAnswers(_ kata: String, in workbook: WorkbookFolder) -> [(path: String, text: String)] {
        ([workbook.modelAnswer(kata)] + workbook.knownAnswers(kata)).compactMap { file in
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            guard file == workbook.modelAnswer(kata) || text.hasPrefix("// right: ") else { return nil }
            return (file.lastPathComponent, text)
        }
    }

    /// What makes a copy look different.
    private static let disguises: [(name: String, apply: @Sendable (String) -> String)] = [
        ("as it is", { $0 }),
        ("line endings", { $0.replacing("\n", with: "\r\n") }),
        ("names", { $0.replacing(/\b(value|lock|task|state)/) { "my\($0.output.1.capitalized)" } }),
        ("comments", { $0.replacing("\n", with: " // mine /* or not */\n") }),
        ("braces", { $0.replacing(" {\n", with: "\n{\n") }),
        ("a statement after each", { afterEachStatement($0) { _ in "_ = 0" } }),
        ("values that nobody reads", { afterEachStatement($0) { "let spare\($0) = \($0)" } }),
        ("something printed", { afterEachStatement($0) { "print(\"step \($0)\")" } }),
        (
            "order",
            { text in
                // The blocks of the file, each from a line that begins at its left edge.
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                var blocks: [[Substring]] = [[]]
                for line in lines {
                    blocks[blocks.count - 1].append(line)
                    if line == "}" { blocks.append([]) }
                }
                return blocks.reversed().flatMap(\.self).joined(separator: "\n")
            }
        ),
    ]

    private static func afterEachStatement(_ text: String, _ noise: (Int) -> String) -> String {
        var depth = 0
        var result: [String] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            let code = line.prefix { $0 != "/" }
            depth += code.count { "([".contains($0) } - code.count { ")]".contains($0) }
            result.append(String(line))
            if depth == 0, !code.isEmpty, line.hasPrefix("        "), !line.contains("//") {
                result.append(noise(number))
            }
        }
        return result.joined(separator: "\n")
    }

    @Test("are found in disguised copies") func recall() throws {
        let workbook = try #require(MutantTests.workbook)
        var missed: [String] = []
        var count = 0
        // A warm-up leaves too little to write for a likeness to mean anything.
        for kata in try workbook.katas().filter({ !$0.warmUp }).map(\.kata) {
            let known = KnownSources(kata, in: workbook)
            for (path, text) in Self.rightAnswers(kata, in: workbook) {
                for disguise in Self.disguises {
                    count += 1
                    let nearest = known.nearest(to: SourceFingerprints(of: disguise.apply(text).utf8))
                    if nearest == nil { missed.append("\(kata) \(path): \(disguise.name)") }
                }
            }
        }
        #expect(Double(missed.count) <= 0.05 * Double(count), "\(missed)")
    }

    @Test("that were written independently are in no group") func falseGroups() throws {
        let workbook = try #require(MutantTests.workbook)
        var groups: [String] = []
        for kata in try workbook.katas().map(\.kata) {
            let given = KnownSources(given: [try String(contentsOf: workbook.shippedStub(kata), encoding: .utf8)])
            let answers = Self.rightAnswers(kata, in: workbook)
            let prints = answers.map { SourceFingerprints(of: $0.text.utf8).without(given.discounted) }
            groups += SimilarSources(prints).groups.map { group in
                "\(kata): " + group.members.map { answers[$0].path.dropLast(".swift".count) }.joined(separator: ", ")
            }
        }
        // In each of these, one was made from another: more than a third of their lines are the same to the letter, with
        // the names that their author gave.
        let variants = [
            "FirstValue: WithALock, WithPrefix",
            "FormViewModel: FormViewModel, WithMerge, WithSwitchToLatest",
            "NotificationObserver: NotificationObserver, OnTheMainActor",
            "ProfileViewModel: ThroughTheMainQueue, WithNumbers",
            "SearchPipeline: ByHand, WithOwnSubscriber",
            "SearchPipeline: SearchPipeline, ThroughTheMainQueue",
            "SearchViewModel: SearchViewModel, WithASink",
            "SearchViewModel: ThroughTheMainQueue, WithADebouncer, WithTwoTasks",
            "UserRepository: UserRepository, WithAMainActorTask",
            "UserRepository: WithALock, WithTheFirstRequest",
            "WebSocketManager: WebSocketManager, ThroughTheMainQueue",
        ]
        #expect(groups.sorted() == variants)
    }
}
