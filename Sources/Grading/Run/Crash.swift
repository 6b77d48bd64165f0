import Foundation
import Workbook

extension RunReport {
    /// What became of the test that was running when the run ended before its time.
    func result(ofCurrent test: String, _ limits: Limits) -> TestResult {
        let observed = tests[test] ?? Observed()
        let issues = observed.issues
        let leaks = Self.leaks(in: observed.output)
        let (outcome, message) = whatEndedIt(observed, limits)
        let found =
            observed.schedule.flatMap(FoundSchedule.init(json:)) ?? issues.lazy.compactMap(\.schedule).first
        // What follows from a data race is up to the machine.
        let race = found?.race == nil ? [] : [LocalizableMessage(.dataRace)]
        return TestResult(
            outcome: outcome, messages: leaks + race + [message] + issues.map(\.message) + observed.cuts,
            marbles: issues.lazy.compactMap(\.marbles).first, found: found,
            kind: race.isEmpty ? issues.first?.kind : "dataRace", differences: issues.first?.differences,
            output: Self.withoutLastWords(Self.withoutTrace(Self.withoutLeaks(observed.output)), told: message),
            outputCut: observed.outputCut,
            // When the time of the whole suite is used up, the test that runs then need not be the one that took it.
            isHang: outcome == .timedOut && stop != .suiteLimit || message.key == .outOfProcessorTime)
    }

    /// The learner's own output, without the addresses that the runtime prints below its last words.
    private static func withoutTrace(_ output: [UInt8]) -> [UInt8] {
        guard let trace = output.firstRange(of: Array("\nCurrent stack trace:\n".utf8)) else { return output }
        return Array(output[..<trace.lowerBound])
    }

    /// The learner's own output, without the runtime's line that the message tells in the reader's language.
    private static func withoutLastWords(_ output: [UInt8], told message: LocalizableMessage) -> [UInt8] {
        guard [.fatalError, .resumedTwice, .outOfMemory, .crashed].contains(message.key) else { return output }
        var lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.lastIndex { line in
            let line = String(decoding: line, as: UTF8.self)
            return line == strayAccess || lastWords.contains { line.hasPrefix($0) || line.contains(": \($0)") }
        }
        guard let last else { return output }
        let removed = lines.remove(at: last)
        // The line for a stray access begins with a line end of its own.
        if removed.elementsEqual(strayAccess.utf8), last > 0, lines[last - 1].isEmpty { lines.remove(at: last - 1) }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// What the runtime's last line begins with, or has behind a place in the source.
    private static let lastWords = [
        "Fatal error", "Precondition failed", "Assertion failed", "SWIFT TASK CONTINUATION MISUSE",
        "Could not cast value of type", "Incorrect actor executor assumption", "Object 0x", "Simultaneous accesses to",
    ]

    private func whatEndedIt(_ observed: Observed, _ limits: Limits) -> (TestVerdict.Outcome, LocalizableMessage) {
        switch (stop, ending) {
        case (.testLimit, _): return (.timedOut, LocalizableMessage(.timedOut, limits.testSeconds.short))
        case (.deadlock, _): return (.timedOut, LocalizableMessage(.deadline))
        case (.endless, _): return (.timedOut, LocalizableMessage(.stillRunning))
        case (.suiteLimit, _): return (.timedOut, LocalizableMessage(.timedOut, limits.suiteSeconds.short))
        case (.threadLimit, _): return (.crashed, LocalizableMessage(.tooManyThreads, "\(limits.threads)"))
        case (.forgery, _): return (.crashed, LocalizableMessage(.rejectedRecord))
        case (nil, .exited) where endedWithUnknownCode: return (.crashed, LocalizableMessage(.endedProcess))
        case (nil, .exited(let code)): return (.crashed, LocalizableMessage(.exited, "\(code)"))
        case (nil, .signaled(let signal)):
            return (.crashed, Self.crash(signal: signal, output: observed.output, residentBytes: residentBytes, limits))
        case (nil, .stopped): return (.crashed, LocalizableMessage(.crashed, "SIGKILL"))
        }
    }

    /// Names a crash for what it is: by what the runtime printed, else by the signal.
    static func crash(signal: Int32, output: [UInt8], residentBytes: Int = 0, _ limits: Limits) -> LocalizableMessage {
        let text = String(decoding: output, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        if let line = lines.last(where: { $0.contains("CONTINUATION MISUSE: ") && $0.contains("more than once") }) {
            return LocalizableMessage(.resumedTwice, misuser(line, before: " tried to resume"))
        }
        for verdict in ["Fatal error", "Precondition failed", "Assertion failed"] {
            guard let line = lines.last(where: { $0.hasPrefix(verdict) || $0.contains(": \(verdict)") }),
                let range = line.range(of: verdict, options: .backwards)
            else { continue }
            var message = line[range.upperBound...].drop { $0 == ":" || $0 == " " }
            if message.contains("Could not allocate memory") || message.contains("failed to allocate") {
                return LocalizableMessage(.outOfMemory, "\(limits.memoryMegabytes)")
            }
            let location = line[..<range.lowerBound].drop { $0 == " " }.prefix { $0 != " " }
            if location.isEmpty { message = withoutAddresses(message) }
            var words = verdict == "Fatal error" && !message.isEmpty ? "" : verdict
            if !message.isEmpty { words += (words.isEmpty ? "" : ": ") + message }
            // A position in Swift's own library does not help a learner.
            let isOurs = !location.isEmpty && !location.hasPrefix("Swift/")
            return LocalizableMessage(
                .fatalError, isOurs ? "\(words) (\(location.trimmingSuffix { $0 == ":" }))" : words)
        }
        // What the runtime says without such a word before it.
        for beginning in ["Could not cast value of type", "Incorrect actor executor assumption", "Object 0x"] {
            guard let line = lines.last(where: { $0.hasPrefix(beginning) }) else { continue }
            return LocalizableMessage(.fatalError, String(withoutAddresses(line)))
        }
        if lines.contains(where: { $0.hasPrefix("Simultaneous accesses to") }) {
            return LocalizableMessage(.fatalError, "Simultaneous accesses: a modification requires exclusive access")
        }
        if lines.contains(where: { $0.contains("Could not allocate memory") || $0.contains("out of memory") }) {
            return LocalizableMessage(.outOfMemory, "\(limits.memoryMegabytes)")
        }
        let name = ChildProcess.Ending.signaled(signal).description
        switch signal {
        // When the stack is used up, nothing more can be printed.
        case SIGSEGV, SIGBUS:
            return lines.last == strayAccess
                ? LocalizableMessage(.crashed, name) : LocalizableMessage(.stackOverflow)
        case SIGXCPU: return LocalizableMessage(.outOfProcessorTime, "\(limits.processorSeconds)")
        // The kernel ends what has taken too much of the machine's memory. Others have no reason to.
        case SIGKILL where residentBytes > limits.memoryMegabytes << 19:
            return LocalizableMessage(.outOfMemory, "\(limits.memoryMegabytes)")
        default: return LocalizableMessage(.crashed, name)
        }
    }

    /// The addresses in what the runtime says tell nobody anything.
    private static func withoutAddresses(_ line: Substring) -> Substring {
        line.replacing(#/ \(?0x[0-9a-f]+\)?/#, with: "")
    }

    /// The continuations that were given up without being resumed, as the runtime reports them.
    static func leaks(in output: [UInt8]) -> [LocalizableMessage] {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
            $0.contains("CONTINUATION MISUSE: ") && $0.contains("leaked its continuation")
        }.prefix(1).map { LocalizableMessage(.continuationLeaked, misuser($0, before: " leaked its")) }
    }

    /// The learner's own output, without what `leaks` tells in a sentence.
    static func withoutLeaks(_ output: [UInt8]) -> [UInt8] {
        guard let told = leaks(in: output).first else { return output }
        let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(lines.filter { leaks(in: Array($0)).first != told }.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func misuser(_ line: Substring, before words: String) -> String {
        guard let start = line.range(of: "CONTINUATION MISUSE: "),
            let end = line.range(of: words, range: start.upperBound..<line.endIndex)
        else { return "" }
        return String(line[start.upperBound..<end.lowerBound])
    }

    /// What the harness prints for an access to memory that is not mapped.
    static let strayAccess: Substring = "The process reached for memory that is not there."
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
