import Foundation

/// What a suite found wrong, said so that a program can tell it in any language.
///
/// A failure's text reaches the grader as a string. English prose could not be told in Korean, so a finding is one line
/// of JSON, which begins with `finding: `; `swift test` shows the text before it.
public struct Finding: Sendable, Codable, Equatable {
    /// The raw value of one of the workbook's message keys, such as `mismatch` or `deadline`.
    public var key: String
    public var arguments: [String]
    public var marbles: MarblePair?
    /// The order of steps that led to it, where orders were explored.
    public var schedule: Schedule?
    /// What kind of mistake was found: a kata can have a hint for each kind.
    public var kind: Kind?
    /// What exactly differs, where that can be said.
    public var differences: Set<Difference>?
    /// How many bytes of the arguments and labels were left out.
    public private(set) var cut: Int?

    public init(
        key: String, arguments: [String], marbles: MarblePair? = nil, schedule: Schedule? = nil, kind: Kind? = nil,
        differences: Set<Difference> = []
    ) {
        self.key = key
        self.arguments = arguments
        self.marbles = marbles
        self.schedule = schedule
        self.kind = kind
        self.differences = differences.isEmpty ? nil : differences
    }

    /// How what happened differs from what a test expects.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Nothing came.
        case nothing
        /// Some of it came: k of n.
        case missing
        /// More came than was expected.
        case extra
        /// All of it came, in another order.
        case reordered
        /// The right events came, the first wrong one too late.
        case late
        /// The right events came, the first wrong one too early.
        case early
        /// Something else came.
        case different
        /// An error was thrown or sent where none was expected.
        case error
        /// Another error than the expected one was thrown or sent.
        case otherError
        /// No error was thrown or sent where one was expected.
        case noError
        /// The code blocked the thread of a task, or all threads of a global queue.
        case blocked
        /// The code was still running when the wait was given up.
        case stillRunning
        /// Two threads accessed the same memory at the same time, and one of them wrote.
        case dataRace
        /// Nothing could go on: each thread waited for something that only another one could have done.
        case deadlock
    }

    /// Expected and actual events on one axis of virtual time, with what the test did to bring them about.
    public struct MarblePair: Sendable, Codable, Equatable {
        public struct Event: Sendable, Codable, Equatable {
            public var milliseconds: Double
            public var label: String

            public init(milliseconds: Double, label: String) {
                self.milliseconds = milliseconds
                self.label = label
            }
        }
        /// What the test sent or did; none where it noted nothing.
        public var input: [Event]?
        public var expected: [Event]
        public var actual: [Event]

        public init(input: [Event] = [], expected: [Event], actual: [Event]) {
            self.input = input.isEmpty ? nil : input
            self.expected = expected
            self.actual = actual
        }
    }

    /// The line that the grader looks for: the finding itself, or a word for it where a program around the suite keeps
    /// findings (see `KeptFindings`).
    public var line: String { "finding: \(KeptFindings.word(for: self) ?? json)" }

    fileprivate var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and finite numbers always encode.
        return (try? encoder.encode(shortened)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// What an answer gave may be of any length, and a report is read by people.
    private static let longestText = 2000
    private static let longestTexts = 16 << 10
    private static let mostEvents = 200
    private static let mostSteps = 400

    private var shortened: Finding {
        var finding = self
        var cut = self.cut ?? 0
        var room = Self.longestTexts
        func shorten(_ text: String) -> String {
            let count = text.utf8.count
            let kept = min(count, Self.longestText, room)
            room -= kept
            guard kept < count else { return text }
            cut += count - kept
            return String(decoding: text.utf8.prefix(kept), as: UTF8.self) + "…"
        }
        func shorten(_ events: [MarblePair.Event]) -> [MarblePair.Event] {
            cut += events.dropFirst(Self.mostEvents).reduce(0) { $0 + $1.label.utf8.count }
            return events.prefix(Self.mostEvents).map { .init(milliseconds: $0.milliseconds, label: shorten($0.label)) }
        }
        finding.arguments = arguments.map(shorten)
        finding.marbles = marbles.map {
            // What is compared has the room first.
            let (expected, actual) = (shorten($0.expected), shorten($0.actual))
            return MarblePair(input: shorten($0.input ?? []), expected: expected, actual: actual)
        }
        // The mistake is at the end.
        finding.schedule?.steps = (schedule?.steps ?? []).suffix(Self.mostSteps)
        finding.cut = cut > 0 ? cut : nil
        return finding
    }
}

/// Findings that the program around a suite keeps to itself.
///
/// A failure's text passes through much that an answer can see, and an error of an answer's own can have any text. So that
/// only the suite can speak as the grader, that program calls `kataSupportKeepFindings` before the suite starts. From then
/// on a text has only a word in it, drawn for this one finding, and `kataSupportTakeFinding` gives the finding for the word,
/// once. Without that call, the text has the finding itself where `KATA_FINDINGS` is set, and else no finding.
enum KeptFindings {
    private struct State {
        var isKept = false
        var findings: [String: Finding] = [:]
    }
    private static let state = Locked(State())

    static func keep() { state.withLock { $0.isKept = true } }

    /// Whether a grader reads the texts: it keeps findings, or says so where only texts leave the process. For all others the
    /// sentence is enough.
    static var areRead: Bool { isReaderOfTexts || state.withLock { $0.isKept } }
    private static let isReaderOfTexts = ProcessInfo.processInfo.environment["KATA_FINDINGS"] != nil

    static func word(for finding: Finding) -> String? {
        state.withLock { state in
            guard state.isKept else { return nil }
            // Descriptions that were not asked for are forgotten.
            if state.findings.count > 1000 { state.findings = [:] }
            let word =
                String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
            state.findings[word] = finding
            return word
        }
    }

    static func take(_ word: String) -> Finding? { state.withLock { $0.findings.removeValue(forKey: word) } }
}

@_cdecl("kataSupportKeepFindings")
func keepFindings() { KeptFindings.keep() }

/// The JSON of a finding, which the caller frees; null where the word is unknown.
@_cdecl("kataSupportTakeFinding")
func takeFinding(_ word: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? {
    KeptFindings.take(String(cString: word)).flatMap { strdup($0.json) }
}

/// An error that carries a finding: its description is prose, and the finding's line where a grader reads it.
///
/// XCTest prints the description on Linux, and the localized description on macOS.
public protocol FindingError: LocalizedError, CustomStringConvertible {
    var finding: Finding { get }
    /// What was expected and what was found, in English.
    var prose: String { get }
}

extension FindingError {
    /// The line of the finding stands alone, whatever quotation marks a test framework puts around the description.
    public var description: String { KeptFindings.areRead ? "\(prose)\n\(finding.line)\n" : prose }

    public var errorDescription: String? { description }
}
