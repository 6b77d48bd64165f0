import Foundation
import TestSupport
import Testing

@Suite("On a machine that has no room for a process for a while", .grades)
struct FullMachineTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook
    private var arguments: [String] {
        ["grade", scratch("class").path, "--report", scratch("report").path, "--jobs", "1", "--no-cache"]
    }

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).add("ana", SmallWorkbook.answer)
    }

    @Test("starting a process is tried again until there is room")
    func spawn() async throws {
        // More attempts than failures in a row end the command.
        let run = try await Program.run(
            arguments + Program.sandboxOption, in: workbook.folder, environment: FullMachine.environment(7))
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("ana: 100/100 points"), "\(run.text)")
    }

    @Test(
        "the sandbox that cannot start its program is started again, and the learner is not rejected",
        .needs(.bubblewrap))
    func sandbox() async throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let places = path.split(separator: ":").map { "\($0)/bwrap" }
        let bwrap = try #require(places.first { FileManager.default.isExecutableFile(atPath: $0) })
        let count = scratch("count").path
        // The first start finds out whether there is a sandbox at all.
        try await scratch.addProgram(
            "bin/bwrap",
            """
            echo >> '\(count)'
            case $(wc -l < '\(count)') in
            2|3|4|5|6|7) echo 'bwrap: Creating new namespace failed: Resource temporarily unavailable' >&2; exit 1 ;;
            *) exec \(bwrap) "$@" ;;
            esac
            """)
        let run = try await Program.run(
            arguments, in: workbook.folder, environment: ["PATH": "\(scratch("bin").path):\(path)"])
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("ana: 100/100 points"), "\(run.text)")
        #expect(try Data(contentsOf: scratch("count")).count > 7)
    }
}
