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
struct FolderEntry: Sendable, Equatable, Comparable {
    enum Kind: Sendable, Equatable { case folder, file, link, other }
    var name: String
    var kind: Kind
    /// Whether the name is text; where it isn't, `name` has marks in the place of its broken bytes.
    var nameIsText = true

    var isHidden: Bool { name.hasPrefix(".") }

    /// Whether it may be a learner's submission, and not a file that a system put there for itself.
    var isShown: Bool { !isHidden && name != "__MACOSX" }

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
    /// that were cloned from GitHub.
    static func sources(
        of entries: [FolderEntry], gradescope: String? = nil, repositories: GitHubClassroom = GitHubClassroom()
    ) -> [SubmissionSource] {
        let submitters = gradescope.map(gradescopeSubmitters) ?? [:]
        var claims: [Claim] = []
        for entry in entries.sorted() where entry.isShown {
            if entry.name == gradescopeMetadata, !submitters.isEmpty { continue }
            claims.append(claim(of: entry, gradescope: submitters, repositories))
        }
        return unique(merged(claims))
    }

    static let gradescopeMetadata = "submission_metadata.yml"

    private struct Claim {
        var source: SubmissionSource
        /// What tells apart two learners of one name.
        var id: String
        /// How often this was handed in before.
        var attempt = 0
    }

    private static func claim(
        of entry: FolderEntry, gradescope: [String: Submitters], _ repositories: GitHubClassroom
    ) -> Claim {
        func refused(_ message: LocalizableMessage) -> Claim {
            Claim(
                source: SubmissionSource(learner: entry.name, sources: [entry.name], parts: [], problem: message),
                id: entry.name)
        }
        func accepted(
            _ learner: String, id: String, name: String, attempt: Int = 0, identity: PlatformIdentity? = nil,
            time: SubmissionTime? = nil
        ) -> Claim {
            let part = SubmissionSource.Part(entry: entry.name, name: name, isFolder: entry.kind == .folder)
            return Claim(
                source: SubmissionSource(
                    learner: learner, sources: [entry.name], identity: identity, time: time,
                    filesHaveTimes: !repositories.isClone(entry.name), parts: [part]),
                id: id, attempt: attempt)
        }
        guard entry.nameIsText else { return refused(LocalizableMessage(.entryNameNotText, entry.name)) }
        switch entry.kind {
        case .link, .other: return refused(LocalizableMessage(.fileNotRegular, entry.name))
        case .folder:
            if let moodle = moodle(entry.name) {
                return accepted(moodle.learner, id: moodle.id, name: "", identity: moodle.identity)
            }
            if let submitters = gradescope[entry.name] {
                return accepted(
                    submitters.name, id: entry.name, name: "", identity: submitters.identity, time: submitters.time)
            }
            let identity = PlatformIdentity(github: repositories.user(of: entry.name))
            return accepted(entry.name, id: entry.name, name: "", identity: identity)
        case .file:
            if let moodle = moodle(entry.name), !moodle.file.isEmpty {
                return accepted(moodle.learner, id: moodle.id, name: moodle.file, identity: moodle.identity)
            }
            if let canvas = canvas(entry.name) {
                return accepted(
                    canvas.learner, id: canvas.id, name: canvas.file, attempt: canvas.attempt,
                    identity: canvas.identity, time: SubmissionTime(isMarkedLate: canvas.isLate))
            }
            if let format = ArchiveFormat(fileName: entry.name) {
                let name = String(entry.name.dropLast(format.suffix.count))
                let submitters = gradescope[name]
                return accepted(
                    submitters?.name ?? name, id: entry.name, name: entry.name, identity: submitters?.identity,
                    time: submitters?.time)
            }
            return refused(LocalizableMessage(.notASubmission, entry.name))
        }
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
            merged[index].source.sources += claim.source.sources
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

    // MARK: What platforms call a submission

    private struct PlatformName {
        var learner: String
        var id: String
        var file: String
        var attempt = 0
        var isLate = false

        var identity: PlatformIdentity? { PlatformIdentity(number: id, isLate: isLate) }
    }

    /// `Jane Doe_12345_assignsubmission_file_` for a folder, and with a file's name behind it for a file.
    private static func moodle(_ name: String) -> PlatformName? {
        let pattern = /(?s)(.+)_([0-9]+)_assignsubmission_(?:file|onlinetext)(?:_(.*))?/
        guard let match = name.wholeMatch(of: pattern) else { return nil }
        return PlatformName(learner: String(match.1), id: String(match.2), file: match.3.map { String($0) } ?? "")
    }

    /// `doejane_12345_67890_FirstValue.swift`, `doejane_LATE_12345_67890_FirstValue-1.swift` when handed in again: a class
    /// of single files, each with the number of its learner and its own.
    private static func canvas(_ name: String) -> PlatformName? {
        guard let match = name.wholeMatch(of: /(?s)([^_]+)(_LATE)?_([0-9]+)_[0-9]+_(.+)/) else { return nil }
        let file = String(match.4)
        let isLate = match.2 != nil
        guard let again = file.wholeMatch(of: /(?s)(.+)-([0-9]+)(\.[A-Za-z.]+)/), let attempt = Int(again.2) else {
            return PlatformName(learner: String(match.1), id: String(match.3), file: file, isLate: isLate)
        }
        return PlatformName(
            learner: String(match.1), id: String(match.3), file: String(again.1) + String(again.3), attempt: attempt,
            isLate: isLate)
    }

    /// Whether a name is one that a platform gives to a submission.
    static func isPlatformName(_ name: String) -> Bool {
        moodle(name) != nil || canvas(name) != nil || name.wholeMatch(of: /submission_[0-9]+/) != nil
    }

    /// Those who handed one submission in together.
    private struct Submitters {
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
