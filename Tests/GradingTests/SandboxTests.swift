import Foundation
import TestSupport
import Testing

@testable import Grading

@Suite("The sandbox's own walls", .needs(.bubblewrap))
struct SandboxTests {
    private let scratch: ScratchFolder
    private let sandbox: Sandbox

    init() throws {
        scratch = try ScratchFolder()
        sandbox = try Sandbox.working(remembering: CacheFolder(scratch("cache")))
    }

    /// What a shell prints in the sandbox.
    private func output(of script: String) throws -> String {
        var confinement = Confinement(folder: "/tmp")
        confinement.readable = ["/bin/sh", "/usr/bin/sleep", "/usr/bin/cat"].map {
            ($0, URL(fileURLWithPath: $0).resolvingSymlinksInPath().path)
        }
        return try ChildProcess("/bin/sh", ["-c", script], in: confinement, sandbox: sandbox)
            .collectOutput(seconds: 60).text
    }

    @Test("Where the grader is root, each run has a user of its own, who is not root outside either")
    func ownUser() throws {
        // Own users need more of a machine than a sandbox does. Without them the grader ends what has too many threads.
        guard sandbox.givesOwnUsers else { return }
        let users = try (0..<8).map { _ in
            try output(of: "while read name number rest; do [ $name = Uid: ] && echo $number; done < /proc/self/status")
        }
        #expect(!users.contains("0\n"))
        #expect(Set(users).count > 1, "\(users)")
        #expect(try output(of: "read inside outside rest < /proc/self/uid_map; echo $inside $outside") == "0 0\n")
    }

    @Test("A limit on processes holds, also for a grader that is root")
    func processLimit() throws {
        guard getuid() != 0 || sandbox.givesOwnUsers else { return }
        let text = try output(
            of:
                "ulimit -p 20; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do sleep 60 & done; echo all"
        )
        #expect(text.contains("Cannot fork") || text.contains("Resource temporarily unavailable"), "\(text)")
    }

    @Test("The sandbox remembers whether it gives own users")
    func remembered() throws {
        #expect(try Sandbox.working(remembering: CacheFolder(scratch("cache"))) == sandbox)
    }

    @Test("A run can write into its own folder, and nowhere else")
    func writing() throws {
        let script =
            "for folder in /tmp / /usr /usr/lib /dev /grader; do echo x 2>/dev/null > $folder/x && echo $folder; done"
        #expect(try output(of: script) == "/tmp\n")
    }
}
