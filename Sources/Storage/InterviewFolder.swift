import Foundation
import Workbook

/// The folder of one interview: `<date>-<name>` in a folder next to the workbook, or in the one that the command names.
///
/// The candidate opens it in an editor, and writes in its `Exercises/<Kata>/`. `journal` has everything that happened, an event a line, each on the disk
/// before the session goes on; `session.json` is what the events add up to.
public struct InterviewFolder: Sendable, Equatable {
    public let url: URL

    public init(_ url: URL) {
        self.url = url.standardizedFileURL
    }

    public var journal: URL { url.appendingPathComponent("journal") }
    public var session: URL { url.appendingPathComponent("session.json") }
    /// What an observer without a name keeps. It is next to the folder, because the candidate has the folder open.
    public var observer: URL {
        url.deletingLastPathComponent().appendingPathComponent(url.lastPathComponent + Self.observerSuffix)
    }
    /// What one of several observers keeps: a file of their own, so that they take notes at once.
    public func observer(named name: String?) -> URL {
        guard let name else { return observer }
        let own = [url.lastPathComponent, Self.safe(name, bytes: 60)].joined(separator: ".")
        return url.deletingLastPathComponent().appendingPathComponent(own + Self.observerSuffix)
    }

    /// The files of the observers with a name, and the names as far as the files' own names tell them.
    var namedObservers: [(file: URL, name: String)] {
        let parent = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        let own = url.lastPathComponent + "."
        return names.sorted().compactMap { name in
            guard name.hasPrefix(own), name.hasSuffix(Self.observerSuffix) else { return nil }
            let rest = name.dropFirst(own.count)
            guard rest.count > Self.observerSuffix.count else { return nil }
            // A session of that name has an observer of its own.
            let session = parent.appendingPathComponent(String(name.dropLast(Self.observerSuffix.count)))
            guard !FileManager.default.fileExists(atPath: session.path) else { return nil }
            return (parent.appendingPathComponent(name), String(rest.dropLast(Self.observerSuffix.count)))
        }
    }

    private static let observerSuffix = ".observer"

    /// The replay and the session with what the observers kept.
    public var observedReplay: URL { observer.appendingPathExtension("html") }
    public var observedSession: URL { observer.appendingPathExtension("json") }
    /// The session's own time, written over every few seconds: what a kill leaves of it.
    public var clock: URL { url.appendingPathComponent("clock") }
    /// Where the candidate's files are.
    public var exercises: WorkbookFolder { WorkbookFolder(url) }

    /// Whether the session's program is there; `nil` where the file system does not tell.
    public var isRunning: Bool? { AppendOnlyLog.isBeingWritten(journal) }

    /// Whether somebody in another process takes notes as this observer.
    public func isObserved(by name: String?) -> Bool { AppendOnlyLog.isBeingWritten(observer(named: name)) == true }

    // MARK: - What the session keeps

    /// What a kata's file holds now; `nil` where there is no file of text. Of a file that is larger than a kata may be, as
    /// much as shows that it is.
    public func text(of kata: String) -> String? {
        let file = exercises.learnerFile(kata)
        let kind = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
        guard kind == .typeRegular, let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: Self.textLimit + 1) ?? Data()).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let textLimit = 1 << 20

    /// Where the session was a moment ago; it costs the disk nothing.
    public func beat(_ moment: InterviewMoment) throws {
        try InterviewRecord.encoder.encode(moment).write(to: clock, options: .atomic)
    }

    /// The last moment at which the session's program is known to have been there.
    public var lastBeat: InterviewMoment? {
        (try? Data(contentsOf: clock)).flatMap {
            try? InterviewRecord.decoder.decode(InterviewMoment.self, from: $0)
        }
    }

    public func write(_ record: InterviewRecord) throws {
        try Self.text(of: record).write(to: session, options: .atomic)
    }

    /// Writes the replay and the session with what the observer kept, which only the person who runs this can read.
    public func writeObserved(_ record: InterviewRecord, replay: String) throws {
        try Descriptor.replace(observedSession, with: Self.text(of: record), mode: 0o600)
        try Descriptor.replace(observedReplay, with: Data(replay.utf8), mode: 0o600)
    }

    private static func text(of record: InterviewRecord) throws -> Data {
        let encoder = InterviewRecord.encoder
        encoder.outputFormatting.insert(.prettyPrinted)
        return try encoder.encode(record) + Data("\n".utf8)
    }

    /// Whether a file or a folder is in this one, or is this one.
    public func contains(_ other: URL) -> Bool {
        let (own, all) = (url.resolvingSymlinksInPath(), other.resolvingSymlinksInPath())
        return all.pathComponents.starts(with: own.pathComponents)
    }

    /// Whether the folder was made for a session whose time never began: the program was killed before.
    public var isUnbegun: Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: journal.path)[.size] as? Int
        return size == 0 && !FileManager.default.fileExists(atPath: session.path)
            && FileManager.default.fileExists(atPath: exercises.url.appendingPathComponent("Exercises").path)
    }

    // MARK: - Among others

    /// What the folder next to a workbook adds to its name.
    private static let suffix = "-interviews"

    /// Where a workbook's sessions are: next to it, where an editor and its search do not find the workbook's other files.
    public static func all(in workbook: WorkbookFolder) -> URL {
        workbook.url.deletingLastPathComponent()
            .appendingPathComponent(workbook.url.lastPathComponent + suffix)
    }

    /// Where sessions were kept before: hidden in the workbook.
    private static func hidden(in workbook: WorkbookFolder) -> URL {
        workbook.graderFolder.appendingPathComponent("interviews")
    }

    /// The workbook that the session's place belongs to; `nil` if there is none.
    public var workbook: WorkbookFolder? {
        let parent = url.deletingLastPathComponent()
        let name = parent.lastPathComponent
        let beside = parent.deletingLastPathComponent().appendingPathComponent(String(name.dropLast(Self.suffix.count)))
        let around = parent.deletingLastPathComponent().deletingLastPathComponent()
        let found = WorkbookFolder(name.hasSuffix(Self.suffix) ? beside : around)
        guard [Self.all(in: found), Self.hidden(in: found)].contains(where: { $0.path == parent.path }) else {
            return nil
        }
        return FileManager.default.fileExists(atPath: found.url.appendingPathComponent("Exercises").path) ? found : nil
    }

    /// A new folder with the katas' stubs as shipped and their briefs in the plan's language.
    ///
    /// - Parameter parent: where it is made; next to the workbook if that is `nil`.
    public static func create(
        for plan: InterviewPlan, in workbook: WorkbookFolder, under parent: URL? = nil, at date: Date
    ) throws -> InterviewFolder {
        let all = parent ?? all(in: workbook)
        if !FileManager.default.fileExists(atPath: all.path) {
            // It comes to hold the work of several candidates.
            try FileManager.default.createDirectory(
                at: all, withIntermediateDirectories: true, attributes: ownerOnly)
        }
        let name = [day(date), safe(plan.candidate)].filter { !$0.isEmpty }.joined(separator: "-")
        let folder = try InterviewFolder(newFolder(name, in: all))
        do {
            for kata in plan.katas { try folder.fill(kata.kata, plan.language, from: workbook) }
        } catch {
            try? FileManager.default.removeItem(at: folder.url)
            throw error
        }
        return folder
    }

    private func fill(_ kata: String, _ language: Language, from workbook: WorkbookFolder) throws {
        let stub = try Data(contentsOf: workbook.shippedStub(kata))
        let shipped = exercises.shippedStub(kata)
        try FileManager.default.createDirectory(
            at: shipped.deletingLastPathComponent(), withIntermediateDirectories: true)
        for file in [shipped, exercises.learnerFile(kata)] { try stub.write(to: file) }
        if let brief = workbook.brief(kata, language) {
            try Data(brief.utf8).write(to: exercises.exercise(kata).appendingPathComponent("README.md"))
        }
    }

    /// The folders that a workbook's sessions are in: the one for new ones first.
    public static func places(of workbook: WorkbookFolder) -> [URL] { [all(in: workbook), hidden(in: workbook)] }

    /// Whether it is not a folder but a file of a session's observer.
    public var isObservers: Bool {
        let name = url.lastPathComponent
        return name.hasSuffix(Self.observerSuffix) || name.hasSuffix(".observer.html")
            || name.hasSuffix(".observer.json")
    }

    /// Whether there is something in the folder that a session is read from.
    public var isSession: Bool {
        [journal, session].contains { FileManager.default.fileExists(atPath: $0.path) } && !isUnbegun
    }

    /// The sessions that a folder holds, the earliest first; the folder itself where it is one.
    public static func sessions(in url: URL) -> [InterviewFolder] {
        let own = InterviewFolder(url)
        if own.isSession { return [own] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.sorted().map { InterviewFolder(url.appendingPathComponent($0)) }.filter(\.isSession)
    }

    /// The session that was begun last among those that are open; `nil` where none is.
    public static func newestOpen(in places: [URL]) -> InterviewFolder? {
        var newest: (minute: Substring, begun: Date, folder: InterviewFolder)?
        // Names begin with the minute, so that few sessions have to be read.
        for folder in places.flatMap(sessions).sorted(by: { $0.url.lastPathComponent > $1.url.lastPathComponent }) {
            let minute = folder.url.lastPathComponent.prefix(15)
            if let newest, newest.minute != minute { break }
            guard let record = try? folder.load().record, record.end == nil else { continue }
            if let newest, newest.begun >= record.begun.time { continue }
            newest = (minute, record.begun.time, folder)
        }
        return newest?.folder
    }

    /// Other accounts of the machine read nothing of a session.
    private static var ownerOnly: [FileAttributeKey: Any] { [.posixPermissions: 0o700] }

    private static func newFolder(_ name: String, in parent: URL) throws -> URL {
        var count = 1
        while true {
            let folder = parent.appendingPathComponent(count == 1 ? name : "\(name)-\(count)")
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false, attributes: ownerOnly)
                return folder
            } catch CocoaError.fileWriteFileExists {
                count += 1
            }
        }
    }

    /// The minute where the session is held: `2026-03-09-1405`.
    private static func day(_ date: Date) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let digits = { (value: Int?, count: Int) in
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)].joined(separator: "-")
            + "-" + digits(parts.hour, 2) + digits(parts.minute, 2)
    }

    /// A name that every file system and shell takes: letters, digits and marks, with hyphens between the words.
    public static func safe(_ name: String, bytes most: Int = 120) -> String {
        let words = name.precomposedStringWithCanonicalMapping.unicodeScalars.split { scalar in
            !scalar.properties.isAlphabetic && scalar.properties.numericType == nil && !isMark(scalar)
        }
        var safe = ""
        for character in words.map({ String(String.UnicodeScalarView($0)) }).joined(separator: "-") {
            // A name has at most 255 bytes, and this one also contains a date and a number.
            guard safe.utf8.count + character.utf8.count <= most else { break }
            safe.append(character)
        }
        return safe
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
}
