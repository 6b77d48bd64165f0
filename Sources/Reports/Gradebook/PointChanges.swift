import Foundation
import Workbook

/// `changes.csv`: what each report has changed in the points of the one before, with the reason, for questions that come
/// later.
struct PointChanges {
    private static let header = "time,learner,kata,before,after,reason"

    /// By learner, then by kata; what counts in the end is under the empty name.
    private typealias Points = [String: [String: Int]]
    private let folder: URL
    private let name: String
    private let last: Points
    private var new: Points = [:]
    private var reasons: [String: String] = [:]

    /// - Parameter isAnonymous: whether learners have numbers in place of names.
    init(in folder: URL, isAnonymous: Bool = false) {
        self.folder = folder
        name = isAnonymous ? "changes-anonymous" : "changes"
        let data = try? Data(contentsOf: folder.appendingPathComponent(".\(name).json"))
        last = data.flatMap { try? JSONDecoder().decode(Points.self, from: $0) } ?? [:]
    }

    mutating func add(_ report: LearnerReport) {
        let learner = report.record.learner
        var points = Dictionary(report.katas.map { ($0.kata, $0.points) }) { first, _ in first }
        points[""] = report.points
        new[learner] = points
        reasons[learner] = report.adjustments.isEmpty ? nil : report.adjustments.joined(separator: " ")
    }

    /// Adds the lines of what has changed, and keeps the points for the next report.
    func write(at time: Date = Date()) throws {
        let lines = lines(at: time)
        if !lines.isEmpty, !last.isEmpty {
            let file = try fileToAddTo()
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(lines.map { $0 + "\r\n" }.joined().utf8))
        }
        guard new != last else { return }
        try JSONEncoder().encode(new).write(to: folder.appendingPathComponent(".\(name).json"), options: .atomic)
    }

    /// The file, or one with a number where a person has a file of that name. It has at least the names of the columns.
    private func fileToAddTo() throws -> URL {
        let opening = Data("\u{FEFF}\(Self.header)\r\n".utf8)
        var number = 1
        while true {
            let file = folder.appendingPathComponent(name + (number == 1 ? ".csv" : "-\(number).csv"))
            guard FileManager.default.fileExists(atPath: file.path) else {
                try opening.write(to: file)
                return file
            }
            if FileManager.default.contents(atPath: file.path)?.starts(with: opening) == true { return file }
            number += 1
        }
    }

    private func lines(at time: Date) -> [String] {
        let moment = DateText.text(of: Int(time.timeIntervalSince1970))
        return Set(last.keys).union(new.keys).sorted().flatMap { learner in
            let (before, after) = (last[learner] ?? [:], new[learner] ?? [:])
            return Set(before.keys).union(after.keys).sorted().filter { before[$0] != after[$0] }.map { kata in
                let points = [before[kata], after[kata]].map { $0.map(String.init) ?? "" }
                return ([moment, learner, kata] + points + [reasons[learner] ?? ""]).map(PlainText.csv)
                    .joined(separator: ",")
            }
        }
    }
}
