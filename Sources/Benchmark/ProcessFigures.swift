import Foundation

/// What the kernel counts of a process, as `/proc` tells it.
struct ProcessFigures {
    var residentKilobytes: Int
    /// The most that it ever had.
    var peakKilobytes: Int
    var threads: Int
    var descriptors: Int
    /// Processor time of the process and of the children that it waited for, in the kernel's ticks.
    var processorTicks: Int
    /// Processor time of the threads that there are, in nanoseconds.
    var nanoseconds: Int
    /// How often one of its threads was woken or put aside.
    var contextSwitches: Int

    var facts: String { "\(threads) threads, \(descriptors) descriptors" }

    /// `nil` where there is no such process, or no `/proc`.
    init?(_ process: Int32) {
        let folder = "/proc/\(process)"
        guard let status = Self.fields("\(folder)/status"), let resident = status["VmRSS"],
            let threads = status["Threads"],
            let stat = try? String(contentsOfFile: "\(folder)/stat", encoding: .utf8),
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd")
        else { return nil }
        residentKilobytes = resident
        peakKilobytes = status["VmHWM"] ?? resident
        self.threads = threads
        self.descriptors = descriptors.count
        // The name before the last parenthesis may hold anything; utime is the twelfth field behind it.
        let numbers = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ").dropFirst(12)
        processorTicks = numbers.prefix(4).compactMap { Int($0) }.reduce(0, +)
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/task")) ?? []
        nanoseconds = tasks.reduce(0) { sum, task in
            let text = (try? String(contentsOfFile: "\(folder)/task/\(task)/schedstat", encoding: .utf8)) ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Int($0) } ?? 0)
        }
        contextSwitches = tasks.reduce(0) { sum, task in
            let fields = Self.fields("\(folder)/task/\(task)/status") ?? [:]
            return sum + (fields["voluntary_ctxt_switches"] ?? 0) + (fields["nonvoluntary_ctxt_switches"] ?? 0)
        }
    }

    /// The numbers of a file of `name: number unit`.
    private static func fields(_ path: String) -> [String: Int]? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        var fields: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let word = parts[1].split(whereSeparator: \.isWhitespace).first else { continue }
            fields[String(parts[0])] = Int(word)
        }
        return fields
    }
}
