import Foundation

/// What the kernel reports about processes.
public enum Processes {
    /// The processes that a process has started, and those that they have started, as soon as the condition is true.
    ///
    /// What a test waits for has to last: on a busy machine many milliseconds pass between two looks.
    public static func descendants(of process: Int32, until isThere: (Set<Int32>) -> Bool) throws -> Set<Int32> {
        let deadline = Date(timeIntervalSinceNow: 600)
        var found: Set<Int32> = []
        while !isThere(found) {
            guard Date() < deadline, isRunning(process) else { throw NotSeen(process: process, last: found) }
            found = descendants(of: process)
            sched_yield()
        }
        return found
    }

    /// A process ended, or ten minutes passed, before it had started what a test waits for.
    struct NotSeen: Error {
        var process: Int32
        var last: Set<Int32>
    }

    private static func descendants(of process: Int32) -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var children: [Int32: [Int32]] = [:]
        for name in names {
            guard let number = Int32(name), let parent = parent(of: number) else { continue }
            children[parent, default: []].append(number)
        }
        var found: Set<Int32> = []
        var open = [process]
        while let next = open.popLast() {
            for child in children[next] ?? [] where found.insert(child).inserted { open.append(child) }
        }
        return found
    }

    /// The processes that still run. A killed process takes a moment to end, and a zombie counts as ended.
    public static func remaining(of processes: Set<Int32>) -> Set<Int32> {
        let deadline = Date(timeIntervalSinceNow: 600)
        var left = processes
        while !left.isEmpty, Date() < deadline {
            left = left.filter(isRunning)
            sched_yield()
        }
        return left
    }

    /// The name of a process's program, which the kernel cuts to fifteen characters.
    public static func name(of process: Int32) -> String? {
        (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?
            .trimmingCharacters(in: .newlines)
    }

    private static func fields(_ process: Int32) -> [Substring] {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func isRunning(_ process: Int32) -> Bool { fields(process).first.map { $0 != "Z" } ?? false }
    private static func parent(of process: Int32) -> Int32? { fields(process).dropFirst().first.flatMap { Int32($0) } }
}
