import Foundation
import Storage
import Workbook

extension CommandContext {
    /// What an instructor wrote into a JSON file of the report's folder; `nil` if there is no such file.
    func report(file: URL) throws(CommandError) -> JSONValue? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let path = typed(file)
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            let reason = strings.reason(SystemFailure(error))
            throw CommandError(
                message: strings.reports(.reportFileUnreadable, .text(path), .text(reason)), code: .trouble)
        }
        do {
            return try JSONDecoder().decode(JSONValue.self, from: data)
        } catch let problem {
            throw error(WorkbookError(path, at: file, unreadable: problem))
        }
    }
}
