import Foundation
import Workbook

extension RunReport {
    /// One failure of a test, as the verdict tells it.
    struct Issue: Equatable {
        var message: LocalizableMessage
        var marbles: Marbles?
        var schedule: FoundSchedule?
        /// The kind of what the suite found.
        var kind: String?
        /// What exactly differs.
        var differences: [String]?

        /// How many bytes of it were left out.
        var cut = 0
        /// How many bytes came.
        var bytes = 0

        /// What KataSupport says by a finding. All else is the grader's own to say.
        static let keys: Set<LocalizableMessage.Key> = [
            .mismatch, .deadline, .deadlineArrived, .deadlineInCase, .notCancelled, .notCancelledArrived,
            .notCancelledInCase, .upstreamNotCancelledArrived, .leaked, .leakedArrived, .leakedInCase, .blockedThread,
            .noThreadLeft, .stillRunning,
            .stillRunningArrived, .stillRunningInCase, .dataRace, .stuck,
            .unexpectedError,
        ]

        private struct Finding: Decodable {
            var key: LocalizableMessage.Key
            var arguments: [String]
            var marbles: Marbles?
            var schedule: FoundSchedule?
            var kind: String?
            var differences: [String]?
            var cut: Int?
        }

        /// What a framework reported.
        ///
        /// - Parameters:
        ///   - finding: the suite's finding as JSON, where it came apart from the texts.
        ///   - cut: how many bytes of the texts were left out.
        init(texts: [String], finding: String? = nil, cut: Int = 0) {
            self = finding.flatMap { Issue($0[...]) } ?? Issue(message: Self.message(texts))
            self.cut += cut
            bytes = (finding?.utf8.count ?? 0) + texts.reduce(0) { $0 + $1.utf8.count }
        }

        /// The same for runs by SwiftPM, where nothing but texts leaves the process.
        init(findingIn texts: [String]) {
            let lines = texts.lazy.flatMap { $0.split(whereSeparator: \.isNewline) }
            let found = lines.compactMap { line in
                line.range(of: "finding: {").flatMap { Issue(line[line.index(before: $0.upperBound)...]) }
            }.first
            self = found ?? Issue(texts: texts)
        }

        private init(message: LocalizableMessage) { self.message = message }

        private init?(_ json: Substring) {
            guard let finding = Self.decode(json), Self.keys.contains(finding.key) else { return nil }
            message = LocalizableMessage(finding.key, arguments: finding.arguments)
            marbles = finding.marbles
            schedule = finding.schedule
            kind = finding.kind
            differences = finding.differences?.sorted()
            cut = finding.cut ?? 0
        }

        private static func message(_ texts: [String]) -> LocalizableMessage {
            let text = texts.joined(separator: "\n")
            // An expectation that is not met is a wait in vain, and XCTest says so in English only.
            return text.contains("Exceeded timeout of ")
                ? LocalizableMessage(.deadline) : LocalizableMessage(.verbatim, text)
        }

        /// Reads the JSON object that the text begins with; a framework may have put a quotation mark behind it.
        private static func decode(_ text: Substring) -> Finding? {
            var text = text
            // A framework adds no more than a few characters.
            for _ in 0..<4 {
                guard let end = text.lastIndex(of: "}") else { return nil }
                text = text[...end]
                if let finding = try? JSONDecoder().decode(Finding.self, from: Data(text.utf8)) { return finding }
                text = text.dropLast()
            }
            return nil
        }
    }
}

extension RunReport.Observed {
    /// What was left out of its issues.
    var cuts: [LocalizableMessage] {
        let bytes = issues.reduce(0) { $0 + $1.cut }
        return (bytes > 0 ? [LocalizableMessage(.textCut, "\(bytes)")] : [])
            + (issuesCut > 0 ? [LocalizableMessage(.issuesCut, "\(issuesCut)")] : [])
    }
}
