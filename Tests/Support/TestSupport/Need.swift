import Foundation
import Synchronization
import Testing

/// What a test needs that a new machine may not have. A test whose need is not met is left out, and the end of the run
/// says what was left out and how to install what is missing.
public struct Need: Hashable, Sendable {
    /// Its name in the list at the end.
    public var name: String
    /// How to install it.
    public var remedy: String
    /// The path of the program, if the need is a program.
    public var path: String?
    public var isMet: Bool

    init(name: String, remedy: String, path: String? = nil, isMet: Bool) {
        self.name = name
        self.remedy = remedy
        self.path = path
        self.isMet = isMet
    }

    /// The first of these programs that is in `PATH`. They are in a package of Debian and Ubuntu.
    private init(programs: [String], package: String, works: (String) -> Bool = { _ in true }) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = programs.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        let isBroken = path.map { !works($0) } ?? false
        self.init(
            name: package, remedy: isBroken ? "installed, but not allowed to work here" : "apt-get install \(package)",
            path: path, isMet: path != nil && !isBroken)
    }

    /// A sandbox. In a container that may not create namespaces it is installed but does not work.
    public static let bubblewrap = Need(programs: ["bwrap"], package: "bubblewrap") { path in
        let arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all", "/bin/sh", "-c", "exit 0"]
        guard let process = try? Process.run(URL(fileURLWithPath: path), arguments: arguments) else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
    public static let chromium = Need(
        programs: ["chromium", "chromium-browser", "google-chrome"], package: "chromium")
    public static let git = Need(programs: ["git"], package: "git")
    public static let unzip = Need(programs: ["unzip"], package: "unzip")
}

/// Leaves tests out if something that they need is missing.
public struct NeedTrait: SuiteTrait, TestTrait {
    var needs: [Need]

    public var isRecursive: Bool { true }
    public var comments: [Comment] { [] }

    public func prepare(for test: Test) async throws {
        for need in needs where !need.isMet {
            if !test.isSuite { LeftOut.shared.note("\(test.id)", for: need) }
            try await ConditionTrait.disabled("\(need.name) is missing").prepare(for: test)
        }
    }
}

extension Trait where Self == NeedTrait {
    /// The tests are left out if one of these is missing.
    public static func needs(_ needs: Need...) -> NeedTrait { NeedTrait(needs: needs) }
}

/// The tests that were left out in this process. They are listed when the process ends, so that the list is the last thing
/// that `swift test` prints.
private final class LeftOut: Sendable {
    static let shared = LeftOut()

    private let tests = Mutex<[Need: Set<String>]>([:])

    private init() {
        atexit { LeftOut.shared.tell() }
    }

    func note(_ test: String, for need: Need) {
        tests.withLock { _ = $0[need, default: []].insert(test) }
    }

    private func tell() {
        let tests = tests.withLock { $0 }
        var lines = ["", "Some tests were left out, because this machine lacks what they need:"]
        for (need, tests) in tests.sorted(by: { $0.key.name < $1.key.name }) {
            lines.append("  \(need.name): \(tests.count) \(tests.count == 1 ? "test" : "tests") (\(need.remedy))")
        }
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }
}
