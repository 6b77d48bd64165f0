import Foundation
import Storage
import Workbook

/// One learner as the class's folder shows them, before anything of theirs was opened.
struct SubmissionSource: Sendable, Equatable {
    var learner: String
    /// The entries of the folder that are this learner's.
    var sources: [String]
    /// How the platform knows the learner.
    var identity: PlatformIdentity?
    /// When the platform says it was handed in, or only whether it was late.
    var time: SubmissionTime?
    /// Whether the files' own times say when it was handed in: those of a clone are times of cloning.
    var filesHaveTimes = true
    var parts: [Part]
    /// Why there is nothing to grade.
    var problem: LocalizableMessage?
    /// Paths of the class's archive that are this learner's and were not opened.
    var leftOut: [String] = []

    /// What is said of them: of a few, as much as can be read.
    var leftOutMessage: LocalizableMessage? {
        guard !leftOut.isEmpty else { return nil }
        return LocalizableMessage(.filesLeftOut, String.shown(leftOut))
    }

    /// Something of the learner's, under the name that they gave it.
    struct Part: Sendable, Equatable {
        /// The entry's name in the class's folder.
        var entry: String
        /// The learner's own name for it; empty for a folder or an archive that is the whole submission.
        var name: String
        var isFolder: Bool
    }
}

extension String {
    /// Paths as a list that a message has: of a few, as much as can be read.
    static func shown(_ paths: [String]) -> String {
        let shown = paths.prefix(5).map { $0.count > 200 ? $0.prefix(200) + "…" : $0 }
        return (shown + (paths.count > 5 ? ["…"] : [])).joined(separator: ", ")
    }
}

/// An entry of a folder, by what it is and not by what a link says it is.
struct FolderEntry: Sendable, Equatable, Comparable {
    enum Kind: Sendable, Equatable { case folder, file, link, other }
    var name: String
    var kind: Kind
    /// Whether the name is text; where it isn't, `name` has marks in the place of its broken bytes.
    var nameIsText = true

    var isHidden: Bool { name.hasPrefix(".") }

    /// Whether it may be a learner's submission, and not a file that a system put there for itself.
    var isShown: Bool { !isHidden && !["__MACOSX", "desktop.ini", "Thumbs.db"].contains(name) }

    /// Whether it is a table: platforms put one next to the submissions, with the learners' names and marks.
    var isTable: Bool { kind == .file && [".csv", ".xlsx"].contains { name.lowercased().hasSuffix($0) } }

    /// By name; two names that only look the same have an order too.
    static func < (one: FolderEntry, other: FolderEntry) -> Bool {
        if one.name != other.name { return one.name < other.name }
        return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }
}

/// Who handed in what, read from the names that learning platforms give to what they export.
enum ClassFolder {
    /// The learners of a class's folder, by name.
    ///
    /// `gradescope` is the text of the folder's `submission_metadata.yml`, where it has one; `repositories` are the entries
    /// that were cloned from GitHub; `leftOut` are the files that were not opened, with their entries.
    static func sources(
        of entries: [FolderEntry], gradescope: String? = nil, repositories: GitHubClassroom = GitHubClassroom(),
        leftOut: [(entry: String?, path: String)] = []
    ) -> [SubmissionSource] {
        let submitters = gradescope.map(gradescopeSubmitters) ?? [:]
        let shown = entries.sorted().filter { $0.isShown && ($0.name != gradescopeMetadata || submitters.isEmpty) }
        let names = ClassNames(shown, submitters: submitters, repositories: repositories)
        // A table may also be what a learner handed in.
        let claims = shown.filter { !$0.isTable || names.name(of: $0) != nil }.map { claim(of: $0, names) }
        return unique(merged(claims + leftOut.map { claim(ofLeftOut: $1, in: $0, of: shown, names) }))
    }

    /// A file that was not opened is told at the learner whose entry it is in, and else by itself.
    private static func claim(
        ofLeftOut path: String, in name: String?, of entries: [FolderEntry], _ names: ClassNames
    ) -> Claim {
        var source = SubmissionSource(learner: path, sources: [path], parts: [], leftOut: [path])
        guard let name else {
            source.problem = source.leftOutMessage
            return Claim(source: source, id: path)
        }
        let isFile = ArchiveListing.parts(of: path).last ?? "" == name
        let entry = entries.first { $0.name == name } ?? FolderEntry(name: name, kind: isFile ? .file : .folder)
        let known = claim(of: entry, names)
        source.learner = known.source.learner
        source.identity = known.source.identity
        source.sources = known.source.sources
        return Claim(source: source, id: known.id)
    }

    static let gradescopeMetadata = "submission_metadata.yml"

    private struct Claim {
        var source: SubmissionSource
        /// What tells apart two learners of one name.
        var id: String
        /// How often this was handed in before.
        var attempt = 0
    }

    private static func claim(of entry: FolderEntry, _ names: ClassNames) -> Claim {
        func refused(_ message: LocalizableMessage) -> Claim {
            Claim(
                source: SubmissionSource(learner: entry.name, sources: [entry.name], parts: [], problem: message),
                id: entry.name)
        }
        func accepted(_ name: ClassNames.Name, at path: String) -> Claim {
            let part = SubmissionSource.Part(entry: entry.name, name: path, isFolder: entry.kind == .folder)
            return Claim(
                source: SubmissionSource(
                    learner: name.learner, sources: [entry.name], identity: name.identity, time: name.time,
                    filesHaveTimes: !names.repositories.isClone(entry.name), parts: [part]),
                id: name.id, attempt: name.attempt)
        }
        guard entry.nameIsText else { return refused(LocalizableMessage(.entryNameNotText, entry.name)) }
        let isFolder = entry.kind == .folder
        guard isFolder || entry.kind == .file else { return refused(LocalizableMessage(.fileNotRegular, entry.name)) }
        if let name = names.name(of: entry) { return accepted(name, at: name.file) }
        if isFolder { return accepted(ClassNames.Name(learner: entry.name, id: entry.name), at: "") }
        guard let format = ArchiveFormat(fileName: entry.name) else {
            return refused(LocalizableMessage(.notASubmission, entry.name))
        }
        let learner = String(entry.name.dropLast(format.suffix.count))
        return accepted(ClassNames.Name(learner: learner, id: entry.name), at: entry.name)
    }

    /// Files of one learner become one submission; of a file that was handed in again, the last one counts.
    private static func merged(_ claims: [Claim]) -> [Claim] {
        var merged: [Claim] = []
        // By bytes: to Swift, two names that only look the same are one.
        var positions: [[UInt8]: Int] = [:]
        var attempts: [[UInt8]: Int] = [:]
        for claim in claims {
            let key = Array("\(claim.source.learner)\u{0}\(claim.id)".utf8)
            guard let index = positions[key] else {
                positions[key] = merged.count
                for part in claim.source.parts { attempts[key + [0] + Array(part.name.utf8)] = claim.attempt }
                merged.append(claim)
                continue
            }
            let known = merged[index].source.sources
            merged[index].source.sources += claim.source.sources.filter { !known.contains($0) }
            merged[index].source.leftOut += claim.source.leftOut
            if claim.source.identity?.isLate == true { merged[index].source.identity?.isLate = true }
            if claim.source.time?.isMarkedLate == true { merged[index].source.time = claim.source.time }
            for part in claim.source.parts {
                let name = key + [0] + Array(part.name.utf8)
                let known = attempts[name]
                if let known, known > claim.attempt { continue }
                if let known, known < claim.attempt {
                    merged[index].source.parts.removeAll { $0.name.utf8.elementsEqual(part.name.utf8) }
                }
                attempts[name] = claim.attempt
                merged[index].source.parts.append(part)
            }
        }
        return merged
    }

    /// No two learners of one name, also on disks that don't tell capitals apart.
    private static func unique(_ claims: [Claim]) -> [SubmissionSource] {
        var sources = claims.map(\.source)
        for attempt in 0..<8 {
            let counts = Dictionary(sources.map { (fold($0.learner), 1) }, uniquingKeysWith: +)
            for (index, claim) in claims.enumerated() where counts[fold(sources[index].learner), default: 0] > 1 {
                let mark =
                    switch attempt {
                    case 0: claim.id
                    case 1: claim.source.sources[0]
                    default: String(SHA256.digest(of: "\(attempt)\(claim.source.sources[0])").hex.prefix(12))
                    }
                sources[index].learner = "\(claim.source.learner) (\(mark))"
            }
        }
        return sources.sorted { $0.learner < $1.learner }
    }

    private static func fold(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    // MARK: Who is named in Gradescope's export

    /// Those who handed one submission in together.
    struct Submitters {
        var names: [String] = []
        var numbers: [String] = []
        var emails: [String] = []
        var time: SubmissionTime?

        var name: String { names.joined(separator: ", ") }
        var identity: PlatformIdentity? {
            func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
            return PlatformIdentity(number: list(numbers), email: list(emails))
        }
    }

    /// Who is named in Gradescope's `submission_metadata.yml`, by the folder of the submission.
    private static func gradescopeSubmitters(_ yaml: String) -> [String: Submitters] {
        var submitters: [String: Submitters] = [:]
        var submission: String?
        // What an autograder said before is in there as well, with names of tests and with what learners printed.
        var isAmongSubmitters = false
        for line in yaml.split(whereSeparator: \.isNewline) {
            if let match = line.wholeMatch(of: /(submission_[0-9]+):\s*/) {
                submission = String(match.1)
                isAmongSubmitters = false
            } else if line.hasPrefix("  :") {
                isAmongSubmitters = line.hasPrefix("  :submitters:")
                // YAML means UTC where it names no time zone.
                if let submission, let match = line.wholeMatch(of: /\ \ :created_at:\s*(.+?)\s*/),
                    let date = DateText(yamlText(String(match.1)), timeZone: .gmt)
                {
                    submitters[submission, default: Submitters()].time = SubmissionTime(seconds: date.first)
                }
            } else if isAmongSubmitters, let submission,
                let match = line.wholeMatch(of: /[ -]*:(name|sid|email):\s*(.+?)\s*/)
            {
                let text = yamlText(String(match.2))
                guard !text.isEmpty else { continue }
                switch match.1 {
                case "name": submitters[submission, default: Submitters()].names.append(text)
                case "sid": submitters[submission, default: Submitters()].numbers.append(text)
                default: submitters[submission, default: Submitters()].emails.append(text)
                }
            }
        }
        return submitters.filter { !$0.value.names.isEmpty }
    }

    /// A scalar of YAML on one line: plain, in single quotes, where a quote is doubled, or in double quotes as in JSON.
    private static func yamlText(_ scalar: String) -> String {
        if scalar.count > 1, scalar.hasPrefix("'"), scalar.hasSuffix("'") {
            return String(scalar.dropFirst().dropLast()).replacing("''", with: "'")
        }
        if scalar.hasPrefix("\"") {
            return (try? JSONDecoder().decode(String.self, from: Data(scalar.utf8))) ?? scalar
        }
        return scalar
    }
}
