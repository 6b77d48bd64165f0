import Workbook

extension Verdict {
    /// The verdict that follows from what a grading came to; throws where it came to nothing.
    ///
    /// - Parameters:
    ///   - unwritten: the parts that are still the stub's, while others were written.
    ///   - mentioned: the parts that other code of the submission may call.
    init(
        _ submission: Submission, _ result: Result<SuiteResult, GradingStop>, unwritten: Set<String> = [],
        mentioned: Set<String> = []
    ) throws(GradingError) {
        func diagnostics(_ messages: [CompilerMessage]) -> [Diagnostic] { Diagnostic.all(messages, in: submission) }
        switch result {
        case .success(let suite):
            self.init(
                submission, Self.outcome(of: submission.kata.tests, suite.tests), diagnostics(suite.warnings),
                suite.tests)
            let hangs = Hangs(submission.kata, suite.tests)
            for place in tests.indices {
                if suite.tests[tests[place].id]?.isHang == true {
                    tests[place].tellHang(in: hangs.part(of: tests[place].id, mentioned: mentioned))
                }
                tests[place].tell(unwritten: submission.kata.tests[place].parts.filter(unwritten.contains))
            }
            look(suite.reasonsToLook)
        case .failure(.rejected(let rejection)):
            self.init(submission, .rejected, [Diagnostic(rejection, in: submission)])
            look(rejection.reasonsToLook)
        case .failure(.didNotCompile(let messages, let reason)):
            let reasons = reason.map { [Diagnostic($0, in: submission)] } ?? []
            self.init(submission, .didNotCompile, reasons + diagnostics(messages))
        case .failure(.lacksDeclarations(let missing)):
            self.init(submission, .didNotCompile, missing)
        case .failure(.trouble(let error)):
            throw error
        }
    }

    /// Keeps each reason once, from the top of the file to its end, and no more than a person reads.
    private mutating func look(_ reasons: [ReasonToLook]) {
        var kept: [ReasonToLook] = []
        for reason in reasons where !kept.contains(where: { $0.message == reason.message }) { kept.append(reason) }
        kept.sort { ($0.line ?? .max) < ($1.line ?? .max) }
        reasonsToLook = kept.isEmpty ? nil : Array(kept.prefix(Self.mostReasonsToLook))
    }

    static let mostReasonsToLook = 10

    static func notStarted(_ submission: Submission) -> Verdict { Verdict(submission, .notStarted, []) }

    /// `seconds` is filled in by who knows when the grading began.
    private init(
        _ submission: Submission, _ outcome: Outcome, _ diagnostics: [Diagnostic], _ results: [String: TestResult] = [:]
    ) {
        let tests = submission.kata.tests.map { test in
            guard let result = results[test.id] else { return TestVerdict(id: test.id, outcome: .notRun, points: 0) }
            return TestVerdict(
                id: test.id, outcome: result.outcome, points: result.outcome == .passed ? test.points : 0,
                messages: result.messages.map { $0.shortened(to: 8 << 10) }, output: printable(result.output),
                outputCut: result.outputCut, marbles: result.marbles, race: result.race, schedule: result.schedule,
                orders: result.orders > 0 ? result.orders : nil,
                kind: result.kind, differences: result.differences)
        }
        self.init(
            kata: submission.kata.kata, outcome: outcome, points: tests.reduce(0) { $0 + $1.points },
            maxPoints: submission.kata.maxPoints, seconds: 0, diagnostics: diagnostics, tests: tests)
    }
}

extension TestVerdict {
    /// Says that code did not come to its end, and of which part, where that is known.
    fileprivate mutating func tellHang(in part: String?) {
        stillRunning = part
        if outcome == .notRun {
            if let part { messages = [LocalizableMessage(.notRunAfterHangOf, part)] }
            return
        }
        // Where every task and thread sleeps, nothing runs.
        if messages.contains(where: { $0.key == .deadline }) {
            stillRunning = nil
        } else if let part {
            messages.insert(LocalizableMessage(.partStillRunning, part), at: 0)
        } else if !messages.contains(where: \.saysStillRunning) {
            messages.insert(LocalizableMessage(.answerStillRunning), at: 0)
        }
    }

    /// What a test finds where a part is not written says nothing more than that. How the process ended is another matter: it
    /// decides whether the submission is graded again.
    fileprivate mutating func tell(unwritten parts: [String]) {
        guard !parts.isEmpty, outcome != .passed else { return }
        unwritten = parts
        if outcome == .notRun { return }
        messages =
            parts.map { LocalizableMessage(.partNotWritten, $0) }
            + messages.filter { $0.mayBeCausedByMachine || $0.key == .crashed }
        marbles = nil
        race = nil
        schedule = nil
    }
}

extension LocalizableMessage {
    fileprivate var saysStillRunning: Bool {
        [.stillRunning, .stillRunningArrived, .stillRunningInCase, .timedOut, .outOfProcessorTime].contains(key)
    }
}

extension Diagnostic {
    private static let most = 50
    private static let longestText = 2000

    /// What the compiler said, each thing once, and no more than a person reads.
    static func all(_ messages: [CompilerMessage], in submission: Submission) -> [Diagnostic] {
        var seen: Set<CompilerMessage> = []
        // Only an error is of use without a place.
        let different = inOrderOfLines(
            messages.filter { ($0.line > 0 || $0.severity == .error) && seen.insert($0).inserted })
        var diagnostics = different.prefix(most).map { Diagnostic($0, in: submission) }
        if different.count > most {
            diagnostics.append(
                Diagnostic(
                    severity: .note, file: "", line: 0, column: 0,
                    message: LocalizableMessage(.diagnosticsCut, "\(different.count - most)")))
        }
        return diagnostics
    }

    /// From the top of the file to its end, as a person goes through it. A note stays behind what it is about.
    private static func inOrderOfLines(_ messages: [CompilerMessage]) -> [CompilerMessage] {
        var line = 0
        let placed = messages.enumerated().map { index, message in
            if message.severity != .note { line = message.line > 0 ? message.line : .max }
            return (line: line, index: index, message: message)
        }
        return placed.sorted { ($0.line, $0.index) < ($1.line, $1.index) }.map(\.message)
    }

    /// The compiler's words, at the learner's own path.
    fileprivate init(_ message: CompilerMessage, in submission: Submission) {
        let isOwn = message.file.hasSuffix("\(submission.kata.kata).swift")
        self.init(
            severity: message.severity, file: isOwn ? submission.displayPath : "", line: isOwn ? message.line : 0,
            column: isOwn ? message.column : 0,
            message: LocalizableMessage(.verbatim, message.text).shortened(to: Self.longestText))
    }

    fileprivate init(_ rejection: Rejection, in submission: Submission) {
        var message = rejection.message
        // The learner knows the file by the path that they would type.
        if message.key.isAboutFile { message.arguments = [submission.displayPath] }
        self.init(
            severity: .error, file: submission.displayPath, line: rejection.line, column: rejection.column,
            message: message.shortened(to: Self.longestText))
    }
}

extension LocalizableMessage {
    /// A submission may make what a message is about as long as it likes.
    fileprivate func shortened(to most: Int) -> LocalizableMessage {
        LocalizableMessage(
            key,
            arguments: arguments.map {
                $0.utf8.count <= most ? $0 : String(decoding: $0.utf8.prefix(most), as: UTF8.self) + "…"
            })
    }
}

/// Output as text that does nothing to a terminal.
private func printable(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        if !isControl || scalar == "\n" || scalar == "\t" { text.append(scalar) }
    }
    return String(text)
}
