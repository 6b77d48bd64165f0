import Foundation

/// How much memory this process and those that it starts can have, in megabytes.
enum AvailableMemory {
    /// Three quarters of what is free now: the rest is for the grader, and for what else the machine does.
    static func megabytes() -> Int {
        let files = { (path: String) in try? String(contentsOfFile: path, encoding: .utf8) }
        return megabytes(physical: Int(clamping: ProcessInfo.processInfo.physicalMemory >> 20), reading: files) / 4 * 3
    }

    /// The least of what the system says to be free and what the groups of this process may still take.
    static func megabytes(physical: Int, reading file: (String) -> String?) -> Int {
        var least = physical
        if let free = file("/proc/meminfo").flatMap(available) { least = min(least, free) }
        for line in file("/proc/self/cgroup")?.split(separator: "\n") ?? [] {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isSecondVersion = parts[1].isEmpty
            guard isSecondVersion || parts[1].split(separator: ",").contains("memory") else { continue }
            let root = isSecondVersion ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let names =
                isSecondVersion ? ("memory.max", "memory.current") : ("memory.limit_in_bytes", "memory.usage_in_bytes")
            var path = String(parts[2])
            // What holds for a group holds for all within it.
            while true {
                let folder = root + (path == "/" ? "" : path)
                if let limit = file("\(folder)/\(names.0)").flatMap(number) {
                    let used = file("\(folder)/\(names.1)").flatMap(number) ?? 0
                    least = min(least, max(0, (limit - used) >> 20))
                }
                guard path != "/", let slash = path.lastIndex(of: "/") else { break }
                path = slash == path.startIndex ? "/" : String(path[..<slash])
            }
        }
        return least
    }

    private static func available(_ text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 >> 10 }
    }

    /// A number of bytes; `nil` for `max`, which is none.
    private static func number(_ text: String) -> Int? { Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
}

extension Limits {
    /// How many submissions can be graded at once so that all of them together stay within the memory that there is, whatever
    /// they do. One always can.
    func jobs(wanted: Int, within megabytes: Int) -> Int {
        // While one is compiled or run, the next one's archive is opened.
        let each = max(memoryMegabytes, compileMegabytes) + IntakeLimits().megabytes
        return max(1, min(wanted, megabytes / each))
    }
}
