import Foundation
import Workbook

/// One learner as the class's folder shows them, before anything of theirs was opened.
struct Entrant: Sendable, Equatable {
    var learner: String
    /// The entries of the folder that are this learner's.
    var sources: [String]
    var parts: [Part]
    /// Why there is nothing to grade.
    var problem: Statement?

    /// Something of the learner's, under the name that they gave it.
    struct Part: Sendable, Equatable {
        /// The entry's name in the class's folder.
        var entry: String
        /// The learner's own name for it; empty for a folder or an archive that is the whole submission.
        var name: String
        var isFolder: Bool
    }
}

/// An entry of a folder, by what it is and not by what a link says it is.
struct FolderEntry: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case folder, file, link, other }
    var name: String
    var kind: Kind
    /// Whether the name is text; where it isn't, `name` has marks in the place of its broken bytes.
    var nameIsText = true

    var isHidden: Bool { name.hasPrefix(".") }
}

/// Who handed in what, read from the names that learning platforms give to what they export.
enum ClassRoll {
    /// The learners of a class's folder, by name.
    ///
    /// `gradescope` is the text of the folder's `submission_metadata.yml`, where it has one.
    static func entrants(of entries: [FolderEntry], gradescope: String? = nil) -> [Entrant] {
        let names = gradescope.map(gradescopeNames) ?? [:]
        var claims: [Claim] = []
        for entry in entries.sorted(by: { $0.name < $1.name }) where !entry.isHidden && entry.name != "__MACOSX" {
            if entry.name == gradescopeMetadata, !names.isEmpty { continue }
            claims.append(claim(of: entry, gradescope: names))
        }
        return unique(merged(claims))
    }

    static let gradescopeMetadata = "submission_metadata.yml"

    private struct Claim {
        var entrant: Entrant
        /// What tells apart two learners of one name.
        var id: String
    }

    private static func claim(of entry: FolderEntry, gradescope: [String: String]) -> Claim {
        func refused(_ statement: Statement) -> Claim {
            Claim(
                entrant: Entrant(learner: entry.name, sources: [entry.name], parts: [], problem: statement),
                id: entry.name)
        }
        func accepted(_ learner: String, id: String, name: String) -> Claim {
            let part = Entrant.Part(entry: entry.name, name: name, isFolder: entry.kind == .folder)
            return Claim(entrant: Entrant(learner: learner, sources: [entry.name], parts: [part]), id: id)
        }
        guard entry.nameIsText else { return refused(Statement(.entryNameNotText, entry.name)) }
        switch entry.kind {
        case .link, .other: return refused(Statement(.fileNotRegular, entry.name))
        case .folder:
            if let moodle = moodle(entry.name) { return accepted(moodle.learner, id: moodle.id, name: "") }
            if let name = gradescope[entry.name] { return accepted(name, id: entry.name, name: "") }
            return accepted(entry.name, id: entry.name, name: "")
        case .file:
            if let moodle = moodle(entry.name), !moodle.file.isEmpty {
                return accepted(moodle.learner, id: moodle.id, name: moodle.file)
            }
            let isArchive = ArchiveFormat(fileName: entry.name) != nil
            if isArchive || entry.name.hasSuffix(".swift"), let canvas = canvas(entry.name) {
                return accepted(canvas.learner, id: canvas.id, name: canvas.file)
            }
            if let format = ArchiveFormat(fileName: entry.name) {
                let name = String(entry.name.dropLast(format.suffix.count))
                return accepted(gradescope[name] ?? name, id: entry.name, name: entry.name)
            }
            return refused(Statement(.notASubmission, entry.name))
        }
    }

    /// Files of one learner become one submission.
    private static func merged(_ claims: [Claim]) -> [Claim] {
        var merged: [Claim] = []
        var places: [[String]: Int] = [:]
        for claim in claims {
            let key = [claim.entrant.learner, claim.id]
            if let place = places[key] {
                merged[place].entrant.sources += claim.entrant.sources
                merged[place].entrant.parts += claim.entrant.parts
            } else {
                places[key] = merged.count
                merged.append(claim)
            }
        }
        return merged
    }

    /// No two learners of one name, also on disks that don't tell capitals apart.
    private static func unique(_ claims: [Claim]) -> [Entrant] {
        var entrants = claims.map(\.entrant)
        for attempt in 0..<8 {
            let counts = Dictionary(entrants.map { (fold($0.learner), 1) }, uniquingKeysWith: +)
            for (index, claim) in claims.enumerated() where counts[fold(entrants[index].learner), default: 0] > 1 {
                let mark =
                    switch attempt {
                    case 0: claim.id
                    case 1: claim.entrant.sources[0]
                    default: String(SHA256.digest(of: "\(attempt)\(claim.entrant.sources[0])").hex.prefix(12))
                    }
                entrants[index].learner = "\(claim.entrant.learner) (\(mark))"
            }
        }
        return entrants.sorted { $0.learner < $1.learner }
    }

    private static func fold(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    // MARK: What platforms call a submission

    private struct PlatformName {
        var learner: String
        var id: String
        var file: String
    }

    /// `Jane Doe_12345_assignsubmission_file_` for a folder, and with a file's name behind it for a file.
    private static func moodle(_ name: String) -> PlatformName? {
        guard let match = name.wholeMatch(of: /(.+)_([0-9]+)_assignsubmission_(?:file|onlinetext)_(.*)/) else {
            return nil
        }
        return PlatformName(learner: String(match.1), id: String(match.2), file: String(match.3))
    }

    /// `doejane_12345_67890_FirstValue.swift`, `doejane_LATE_12345_67890_FirstValue-1.swift` when handed in again.
    private static func canvas(_ name: String) -> PlatformName? {
        guard let match = name.wholeMatch(of: /([^_]+)(?:_LATE)?_([0-9]+)_(?:[0-9]+_)?(.+)/) else { return nil }
        var file = String(match.3)
        if let again = file.wholeMatch(of: /(.+)-[0-9]+(\.[A-Za-z.]+)/) { file = String(again.1) + String(again.2) }
        return PlatformName(learner: String(match.1), id: String(match.2), file: file)
    }

    /// The names in Gradescope's `submission_metadata.yml`, by the folder of the submission.
    private static func gradescopeNames(_ yaml: String) -> [String: String] {
        var names: [String: [String]] = [:]
        var submission: String?
        for line in yaml.split(whereSeparator: \.isNewline) {
            if let match = line.wholeMatch(of: /(submission_[0-9]+):\s*/) {
                submission = String(match.1)
            } else if let submission, let match = line.wholeMatch(of: /\s*-?\s*:name:\s*(.+?)\s*/) {
                let name = match.1.trimmingCharacters(in: CharacterSet(charactersIn: "'\""))
                if !name.isEmpty { names[submission, default: []].append(name) }
            }
        }
        return names.mapValues { $0.joined(separator: ", ") }
    }
}
