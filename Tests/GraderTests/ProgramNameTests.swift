import Foundation
import TestSupport
import Testing

@testable import grader

@Suite("The name of the program in what the grader says")
struct ProgramNameTests {
    @Test(
        "is what the person typed",
        arguments: [
            // `swift run` starts the program by a path that begins at the folder where it was called. What it has built
            // starts at once.
            ("/katas", ".build/x86_64-unknown-linux-gnu/debug/grader", ".build/debug/grader"),
            ("/katas", ".build/arm64-apple-macosx/release/grader", ".build/release/grader"),
            ("/katas/Exercises", "../.build/x86_64-unknown-linux-gnu/debug/grader", "../.build/debug/grader"),
            ("/katas", "/katas/.build/x86_64-unknown-linux-gnu/debug/grader", ".build/debug/grader"),
            ("/katas", "/katas/.build/debug/grader", ".build/debug/grader"),
            ("/moved", "/moved/.build/x86_64-unknown-linux-gnu/debug/grader", "swift run grader"),
            ("/katas", ".build/debug/grader", ".build/debug/grader"),
            ("/katas/Exercises", "../.build/debug/grader", "../.build/debug/grader"),
            // `swift run` works inside the package only.
            ("/tmp", "../katas/.build/x86_64-unknown-linux-gnu/debug/grader", nil),
            ("/", "katas/.build/x86_64-unknown-linux-gnu/debug/grader", nil),
            ("/katas-2", "/katas/.build/debug/grader", nil),
            ("/katas", "grader", "grader"), ("/katas", "/usr/local/bin/grader", "/usr/local/bin/grader"),
        ] as [(String, String, String?)])
    func name(folder: String, started: String, name: String?) {
        let workingFolder = URL(fileURLWithPath: folder, isDirectory: true)
        let found = ProgramName(started: started, workingFolder: workingFolder) {
            ["/katas/.build/debug/grader", "/katas/.build/release/grader"].contains($0)
        }
        #expect(found.text == name ?? started)
    }

    @Test("is used in the commands that are shown")
    func shown() async throws {
        let scratch = try ScratchFolder()
        _ = try SmallWorkbook(at: scratch("workbook"))
        let swiftRun = ["/bin/bash", "-c", "exec -a .build/x86_64-unknown-linux-gnu/debug/grader \"$@\"", "bash"]
        let run = try await Program.run(["list"], in: scratch("workbook"), by: swiftRun)
        #expect(run.output.contains("`swift run grader check Greeting`"), "\(run.text)")
    }
}
