import Foundation
import Grading
import Reports
import Storage
import Workbook

extension CommandContext {
    /// The folders of KataSupport and Combine, by their names.
    func support(of workbook: WorkbookFolder) throws(CommandError) -> [String: URL] {
        do {
            let folders = try SubmissionGrader(workbook: workbook).supportSources()
            return Dictionary(folders.map { ($0.lastPathComponent, $0) }) { first, _ in first }
        } catch {
            throw self.error(error)
        }
    }

    /// Writes the handout's files and the modules that it brings.
    func write(_ handout: Handout, into folder: URL, _ support: [String: URL]) throws(CommandError) {
        let files = FileManager.default
        var path = folder
        do {
            let template = (Bundle.module.resourceURL ?? Bundle.module.bundleURL)
                .appendingPathComponent("HandoutTemplate/Package.txt")
            let manifest = try String(contentsOf: template, encoding: .utf8)
            for (name, text) in handout.files(manifest: manifest).sorted(by: { $0.key < $1.key }) {
                path = folder.appendingPathComponent(name)
                try files.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: path)
            }
            for module in handout.modules {
                path = folder.appendingPathComponent("\(Handout.support)/\(module)")
                guard let source = support[module] else { continue }
                try files.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try files.copyItem(at: source, to: path)
            }
        } catch {
            let reason = strings.reason(SystemFailure(error))
            throw CommandError(
                message: strings(.fileNotWritten, .text(typed(path)), .text(reason)), code: .trouble)
        }
    }
}
