import Foundation
import Workbook

extension SubmissionGrader {
    /// The compiler's version in its own words: `6.3.1`, or all of its first line where it says it otherwise.
    public func swiftVersion() async -> String {
        let process = ChildProcess(
            program: toolchain.compiler.path, arguments: ["--version"], environment: ["PATH": "/usr/bin:/bin"])
        return await runBlocking {
            var output: [UInt8] = []
            let deadline = ContinuousClock.now + .seconds(30)
            _ = try? process.run(deadline: { deadline }) { _, bytes in
                output += bytes
                return .proceed
            }
            let line = String(decoding: output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
            return line.firstMatch(of: /Swift version ([0-9.]+)/).map { String($0.1) } ?? line
        }
    }
}
