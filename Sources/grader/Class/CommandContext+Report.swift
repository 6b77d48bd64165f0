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
        let json: JSONValue
        do {
            json = try JSONDecoder().decode(JSONValue.self, from: data)
        } catch let problem {
            throw error(WorkbookError(path, at: file, unreadable: problem))
        }
        if let mistake = JSONMistake.repeatedKey(in: data) { throw error(mistake, in: file) }
        return json
    }

    /// What such a file says; `nil` if there is no such file.
    func report<Contents>(
        file: URL, reading read: (JSONValue) throws(JSONMistake) -> Contents
    ) throws(CommandError) -> Contents? {
        guard let json = try report(file: file) else { return nil }
        do throws(JSONMistake) {
            return try read(json)
        } catch {
            throw self.error(error, in: file)
        }
    }

    /// What is wrong in such a file, and what to write.
    private func error(_ mistake: JSONMistake, in file: URL) -> CommandError {
        let path = StringCatalog.Argument.text(typed(file))
        let text =
            switch mistake {
            case .value(let place, let found, let example):
                strings(
                    .policyValue, path, .text(place.isEmpty ? file.lastPathComponent : place), .text(found),
                    .text(example))
            case .keyTwice(let key): strings(.policyKeyTwice, path, .text(key))
            case .key(let key, let known): strings(.policyKey, path, .text(key), .list(known.map { "`\($0)`" }))
            }
        return CommandError(message: text, code: .trouble)
    }

    /// Two parts of a class that say something different.
    func error(_ first: URL, differsFrom second: URL, for file: URL) -> CommandError {
        CommandError(
            message: strings(.policyDiffer, .text(typed(first)), .text(typed(second)), .text(typed(file))),
            code: .trouble)
    }
}
