import Workbook

/// The names that learning platforms give to what they export.
///
/// A folder is the export of the platform whose names most of its entries have, and names of other platforms say nothing in
/// it: a learner chooses the end of a name, and could write another platform's there, with the number of another learner.
/// In a folder that was put together from several exports, each name is read by itself.
struct ClassNames {
    /// The first ones can be imitated least.
    private enum Platform: CaseIterable { case gradescope, gitHub, canvas, moodle }

    /// What a name says.
    struct Name {
        var learner: String
        /// What tells apart two learners of one name.
        var id: String
        /// The learner's own name for a file; empty for a folder that is the whole submission.
        var file = ""
        /// How often this was handed in before.
        var attempt = 0
        var identity: PlatformIdentity?
        var time: SubmissionTime?
    }

    let repositories: GitHubClassroom
    private let submitters: [String: ClassFolder.Submitters]
    private var platforms = Platform.allCases

    /// - Parameters:
    ///   - submitters: who is named in Gradescope's metadata, by submission.
    ///   - repositories: the entries that were cloned from GitHub.
    init(_ entries: [FolderEntry], submitters: [String: ClassFolder.Submitters], repositories: GitHubClassroom) {
        self.submitters = submitters
        self.repositories = repositories
        let most = platforms.first { platform in
            entries.count { name(of: $0, on: platform) != nil } * 2 > entries.count
        }
        if let most { platforms = [most] }
    }

    /// What the name of an entry says; `nil` where it is none of a platform's.
    func name(of entry: FolderEntry) -> Name? { platforms.lazy.compactMap { name(of: entry, on: $0) }.first }

    private func name(of entry: FolderEntry, on platform: Platform) -> Name? {
        let isFolder = entry.kind == .folder
        switch platform {
        case .gradescope:
            let format = isFolder ? nil : ArchiveFormat(fileName: entry.name)
            guard isFolder || format != nil else { return nil }
            return submitters[String(entry.name.dropLast(format?.suffix.count ?? 0))].map {
                Name(
                    learner: $0.name, id: entry.name, file: isFolder ? "" : entry.name, identity: $0.identity,
                    time: $0.time)
            }
        case .gitHub:
            guard repositories.isClone(entry.name) else { return nil }
            let identity = PlatformIdentity(github: repositories.user(of: entry.name))
            return Name(learner: entry.name, id: entry.name, identity: identity)
        case .canvas: return Self.canvas(entry.name)
        case .moodle: return Self.moodle(entry.name).flatMap { isFolder || !$0.file.isEmpty ? $0 : nil }
        }
    }

    /// `Jane Doe_12345_assignsubmission_file_` for a folder, and with a file's name behind it for a file. Moodle's own part
    /// is the first that there is.
    private static func moodle(_ name: String) -> Name? {
        let pattern = /(?s)(.+?)_([0-9]+)_assignsubmission_(?:file|onlinetext)(?:_(.*))?/
        guard let match = name.wholeMatch(of: pattern) else { return nil }
        let number = String(match.2)
        return Name(
            learner: String(match.1), id: number, file: match.3.map { String($0) } ?? "",
            identity: PlatformIdentity(number: number))
    }

    /// `doejane_12345_67890_FirstValue.swift`, `doejane_LATE_12345_67890_FirstValue-1.swift` when handed in again: a class
    /// of single files, each with the number of its learner and its own.
    private static func canvas(_ name: String) -> Name? {
        guard let match = name.wholeMatch(of: /(?s)([^_]+)(_LATE)?_([0-9]+)_[0-9]+_(.+)/) else { return nil }
        let number = String(match.3)
        let isLate = match.2 != nil
        var result = Name(
            learner: String(match.1), id: number, file: String(match.4),
            identity: PlatformIdentity(number: number, isLate: isLate), time: SubmissionTime(isMarkedLate: isLate))
        if let again = result.file.wholeMatch(of: /(?s)(.+)-([0-9]+)(\.[A-Za-z.]+)/), let attempt = Int(again.2) {
            result.file = String(again.1) + String(again.3)
            result.attempt = attempt
        }
        return result
    }

    /// Whether a name is one that a platform gives to a submission.
    static func isPlatformName(_ name: String) -> Bool {
        moodle(name) != nil || canvas(name) != nil || name.wholeMatch(of: /submission_[0-9]+/) != nil
    }

    /// Whether a platform may have given the name to what a learner handed in, also where the learner's own name has a `_` or
    /// is hidden.
    static func mayBeHandedIn(_ name: String) -> Bool {
        isPlatformName(name) || name.firstMatch(of: /_[0-9]+_[0-9]+_/) != nil || name.hasPrefix("anon_")
    }
}
