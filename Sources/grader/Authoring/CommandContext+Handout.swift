import Foundation
import Grading
import Reports
import Storage
import Workbook

extension CommandContext {
    /// The folders of KataSupport and Combine, by their names.
    func support(of workbook: WorkbookFolder) throws(CommandError) -> [String: URL] {
        do {
            let folders = try SubmissionGrader.supportSources(for: workbook)
            return Dictionary(folders.map { ($0.lastPathComponent, $0) }) { first, _ in first }
        } catch {
            throw self.error(error)
        }
    }

    /// Writes the handout's files and the modules that it brings.
    ///
    /// - Parameter isFilled: the folder has the stubs and briefs already.
    func write(
        _ handout: Handout, into folder: URL, _ support: [String: URL], isFilled: Bool = false
    ) throws(CommandError) {
        let template = (Bundle.module.resourceURL ?? Bundle.module.bundleURL)
            .appendingPathComponent("HandoutTemplate/Package.txt")
        guard let manifest = try? String(contentsOf: template, encoding: .utf8) else {
            throw CommandError(message: strings(.fileUnreadable, .text(template.path)), code: .trouble)
        }
        let files = isFilled ? handout.packageFiles(manifest: manifest) : handout.files(manifest: manifest)
        try write(files, into: folder)
        try write(support.filter { handout.modules.contains($0.key) }, into: folder)
    }

    /// Copies modules to where a package has what it brings along.
    func write(_ modules: [String: URL], into folder: URL) throws(CommandError) {
        for (module, source) in modules {
            try write(folder.appendingPathComponent("\(Handout.support)/\(module)")) {
                try FileManager.default.copyItem(at: source, to: $0)
            }
        }
    }
}
