import Foundation
import Testing

@testable import Grading

@Suite("A child process")
struct ChildProcessTests {
    static func run(
        _ script: String, seconds: Double = 60, inputs: [Int32: [UInt8]] = [:], outputs: [[Int32]] = [[1], [2]],
        stopAt: Int = .max
    ) throws -> (ending: ChildProcess.Ending, said: [String]) {
        var child = ChildProcess(program: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        child.inputs = inputs
        child.outputs = outputs
        var said = outputs.map { _ in [UInt8]() }
        let end = ContinuousClock.now + .seconds(seconds)
        let result = try child.run(deadline: { _ in end }) { output, bytes in
            said[output] += bytes
            return said[output].count < stopAt ? .proceed : .stop
        }
        return (result.ending, said.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test("It has a process group of its own, unless Ctrl-C at the terminal has to reach it", arguments: [true, false])
    func group(isItsOwn: Bool) throws {
        var child = ChildProcess(program: "/bin/cat", arguments: ["/proc/self/stat"])
        child.hasOwnGroup = isItsOwn
        // `<process> (<name>) <state> <parent> <group>`
        let fields = try child.collectOutput(seconds: 60).text.split(separator: " ")
        #expect(fields.count > 4)
        #expect(fields.dropFirst(4).first == (isItsOwn ? fields.first : "\(getpgrp())"))
    }

    /// A child that stops before it has become its program holds up the program that waits for that moment.
    @Test("Ctrl-Z at the terminal does not stop it, and neither does it take over which signals are blocked here")
    func blockedSignals() throws {
        let child = ChildProcess(program: "/bin/cat", arguments: ["/proc/self/status"])
        let line = try child.collectOutput(seconds: 60).text.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
        let blocked = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        #expect(blocked == 1 << (SIGTSTP - 1))
    }

    @Test("Its output and its exit code are reported")
    func words() throws {
        let (ending, said) = try Self.run("echo out; echo err >&2; exit 3")
        #expect(ending == .exited(3))
        #expect(said == ["out\n", "err\n"])
    }

    @Test("The signal that ended it is reported")
    func signal() throws { #expect(try Self.run("kill -9 $$").ending == .signaled(9)) }

    @Test("It reads and writes on descriptors beyond the standard ones")
    func descriptors() throws {
        let (ending, said) = try Self.run("cat <&3 >&4", inputs: [3: Array("request".utf8)], outputs: [[4], [1, 2]])
        #expect(ending == .exited(0))
        #expect(said == ["request", ""])
    }

    @Test("At the deadline it is stopped, with all processes that it has started")
    func deadline() throws {
        let (ending, said) = try Self.run("sleep 1000 & echo $!; wait", seconds: 0.5)
        #expect(ending == .stopped)
        #expect(Self.isGone(try #require(Int32(said[0].trimmingCharacters(in: .whitespacesAndNewlines)))))
    }

    @Test("Processes that it leaves running are stopped when it ends")
    func orphans() throws {
        let (ending, said) = try Self.run("sleep 1000 & echo $!")
        #expect(ending == .exited(0))
        #expect(Self.isGone(try #require(Int32(said[0].trimmingCharacters(in: .whitespacesAndNewlines)))))
    }

    @Test("The listener can stop it")
    func listener() throws { #expect(try Self.run("while :; do echo flood; done", stopAt: 10_000).ending == .stopped) }

    #if os(Linux)
    @Test("A child that shares a processor with others is held up, and a child that sleeps is not")
    func heldUp() throws {
        // All on one processor, so that they are in each other's way on every machine.
        let work = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done"
        let crowd = Process()
        crowd.executableURL = URL(fileURLWithPath: "/bin/sh")
        crowd.arguments = ["-c", "for i in 1 2 3; do taskset -c 0 /bin/sh -c 'while :; do :; done' & done; wait"]
        try crowd.run()
        let busy = try Self.heldUp("taskset -c 0 /bin/sh -c '\(work)'")
        let all = ChildProcess.descendants(of: crowd.processIdentifier) + [crowd.processIdentifier]
        for process in all { kill(process, SIGKILL) }
        crowd.waitUntilExit()
        let idle = try Self.heldUp("sleep 0.5")
        #expect(busy > .milliseconds(100))
        #expect(idle < busy)
    }

    private static func heldUp(_ script: String) throws -> Duration {
        let child = ChildProcess(program: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        var total = Duration.zero
        _ = try child.run {
            total = $0
            return .now + .seconds(60)
        } receive: { _, _ in
            .proceed
        }
        return total
    }
    #endif

    @Test("A program that does not exist is an error with a message")
    func missing() {
        #expect(throws: GradingError.self) {
            try ChildProcess(program: "/nowhere", arguments: []).run(deadline: { _ in .now }) { _, _ in .proceed }
        }
    }

    /// A killed process closes its pipes first, and takes a moment to end. Its new parent may collect it a bit later.
    private static func isGone(_ process: Int32) -> Bool {
        for _ in 0..<1_000_000 {
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            if kill(process, 0) != 0 || status?.contains("State:\tZ") ?? true { return true }
            sched_yield()
        }
        return false
    }

    @Test("A program with more threads than it may have is stopped, with all that it has started")
    func tooManyThreads() throws {
        var child = ChildProcess(
            program: "/bin/sh", arguments: ["-c", "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 600 & done; wait"],
            environment: ["PATH": "/usr/bin:/bin"])
        child.mostThreads = 8
        let result = try child.run { _ in
            .now + .seconds(300)
        } receive: { _, _ in
            .proceed
        }
        #expect(result.ending == .stopped)
        #expect(result.hadTooManyThreads)
    }
}
