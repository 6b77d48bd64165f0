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
        for module in handout.modules {
            guard let source = support[module] else { continue }
            try write(folder.appendingPathComponent("\(Handout.support)/\(module)")) {
                try FileManager.default.copyItem(at: source, to: $0)
            }
        }
    }
}
