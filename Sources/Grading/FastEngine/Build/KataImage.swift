import Foundation
import Workbook

/// Links a kata's suite with an answer, in a folder that the image stays in.
struct KataImage {
    let context: GradingContext
    let linkTools: LinkTools
    let folder: URL
    let cancellation: CancellationFlag

    /// - Parameters:
    ///   - controls: the tests that have to fail, with names of this grading's own.
    ///   - keepsLines: whether places in the image can be turned into lines of the answer.
    func link(
        _ suite: URL, _ controls: ControlTests, _ answer: [UInt8], _ object: ObjectFile, as name: String,
        keepsLines: Bool = false
    ) throws(GradingError) -> URL {
        let toolchain = context.toolchain
        let image = folder.appendingPathComponent(name)
        let (controlObject, answerObject) =
            (folder.appendingPathComponent("controls.o"), folder.appendingPathComponent("answer.o"))
        do {
            let original = [UInt8](try Data(contentsOf: linkTools.controlTests))
            try Data(controls.object(from: original, linkTools.controlPlaces)).write(to: controlObject)
            try AnswerObject.linked(answer, object).write(to: answerObject)
        } catch {
            throw GradingError(folder, notWritable: error)
        }
        // What is undefined is there when the image is loaded: the harness has brought it. Only what the inspection allowed
        // is undefined.
        let child = ChildProcess(
            program: toolchain.linker.path,
            arguments: [
                "-shared", "-o", image.path, "--hash-style=gnu", "--eh-frame-hdr", "-Bsymbolic", "-z", "now", "-z",
                "relro", "-z", "undefs", "--threads=1", "--version-script", linkTools.exports.path,
                toolchain.imageStart.path, suite.path, controlObject.path, answerObject.path,
            ] + (keepsLines ? [] : ["--strip-debug"]),
            environment: ["PATH": "/usr/bin:/bin"])
        let output = try child.collectOutput(seconds: 60, cancellation: cancellation)
        guard output.ending == .exited(0) else {
            throw GradingError(.programFailed, toolchain.linker.path, output.words)
        }
        return image
    }
}
