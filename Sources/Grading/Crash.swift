import Workbook

extension RunReport {
    /// What became of the test that was running when the run ended before its time.
    func outcome(ofCurrent test: String, _ limits: Limits) -> RunPlan.Outcome {
        let observed = tests[test] ?? Observed()
        let issues = observed.issues.map(TestIssue.init(texts:))
        let leaks = Self.leaks(in: observed.output)
        let (outcome, statement) = whatEndedIt(observed, limits)
        return RunPlan.Outcome(
            outcome: outcome, statements: leaks + [statement] + issues.map(\.statement),
            marbles: issues.lazy.compactMap(\.marbles).first, output: Self.withoutTrace(observed.output),
            outputCut: observed.outputCut)
    }

    /// The learner's own output, without the addresses that the runtime prints below its last words.
    private static func withoutTrace(_ output: [UInt8]) -> [UInt8] {
        guard let trace = output.firstRange(of: Array("\nCurrent stack trace:\n".utf8)) else { return output }
        return Array(output[...trace.lowerBound])
    }

    private func whatEndedIt(_ observed: Observed, _ limits: Limits) -> (TestVerdict.Outcome, Statement) {
        switch (stop, ending) {
        case (.testLimit, _): return (.timedOut, Statement(.timedOut, limits.testSeconds.short))
        case (.suiteLimit, _): return (.timedOut, Statement(.timedOut, limits.suiteSeconds.short))
        case (.forgery, _): return (.crashed, Statement(.rejectedRecord))
        case (nil, .exited(let code)): return (.crashed, Statement(.exited, "\(code)"))
        case (nil, .signaled(let signal)):
            return (.crashed, Self.crash(signal: signal, output: observed.output, limits))
        case (nil, .stopped): return (.crashed, Statement(.crashed, "SIGKILL"))
        }
    }

    /// Names a crash for what it is: by what the runtime printed, else by the signal.
    static func crash(signal: Int32, output: [UInt8], _ limits: Limits) -> Statement {
        let text = String(decoding: output, as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline)
        if let line = lines.last(where: { $0.contains("CONTINUATION MISUSE: ") && $0.contains("more than once") }) {
            return Statement(.resumedTwice, misuser(line, before: " tried to resume"))
        }
        if let line = lines.last(where: { $0.contains("Fatal error") }), let range = line.range(of: "Fatal error") {
            let message = line[range.upperBound...].drop { $0 == ":" || $0 == " " }
            if message.contains("Could not allocate memory") || message.contains("failed to allocate") {
                return Statement(.outOfMemory, "\(limits.memoryMegabytes)")
            }
            let place = line[..<range.lowerBound].drop { $0 == " " }.prefix { $0 != " " }
            let words = message.isEmpty ? "Fatal error" : String(message)
            // A place in Swift's own library helps nobody.
            let isOurs = !place.isEmpty && !place.hasPrefix("Swift/")
            return Statement(.fatalError, isOurs ? "\(words) (\(place.trimmingSuffix { $0 == ":" }))" : words)
        }
        if lines.contains(where: { $0.hasPrefix("Simultaneous accesses to") }) {
            return Statement(.fatalError, "Simultaneous accesses: a modification requires exclusive access")
        }
        if lines.contains(where: { $0.contains("Could not allocate memory") || $0.contains("out of memory") }) {
            return Statement(.outOfMemory, "\(limits.memoryMegabytes)")
        }
        switch signal {
        // Checked Swift cannot read where it may not, unless it runs over the end of its stack.
        case 11, 7: return Statement(.stackOverflow)
        case 24: return Statement(.outOfProcessorTime, "\(limits.processorSeconds)")
        case 9: return Statement(.outOfMemory, "\(limits.memoryMegabytes)")
        default: return Statement(.crashed, signalName(signal))
        }
    }

    /// The continuations that were given up without being resumed, as the runtime reports them.
    static func leaks(in output: [UInt8]) -> [Statement] {
        String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
            $0.contains("CONTINUATION MISUSE: ") && $0.contains("leaked its continuation")
        }.prefix(1).map { Statement(.continuationLeaked, misuser($0, before: " leaked its")) }
    }

    private static func misuser(_ line: Substring, before words: String) -> String {
        guard let start = line.range(of: "CONTINUATION MISUSE: "),
            let end = line.range(of: words, range: start.upperBound..<line.endIndex)
        else { return "" }
        return String(line[start.upperBound..<end.lowerBound])
    }

    private static func signalName(_ signal: Int32) -> String {
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 13: "SIGPIPE",
            14: "SIGALRM", 15: "SIGTERM", 25: "SIGXFSZ", 31: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
