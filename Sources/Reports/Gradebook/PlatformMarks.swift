import Foundation
import Workbook

/// What a platform's table is told of each learner.
struct PlatformMarks {
    struct Mark {
        var learner: String
        var identity: PlatformIdentity?
        var points: Int
        var maxPoints: Int
        var feedback: String
        /// Whether a row of the platform's table took it.
        var isPlaced = false

        var numbers: [String] { identity?.number?.components(separatedBy: ", ") ?? [] }
        var emails: [String] { identity?.email?.lowercased().components(separatedBy: ", ") ?? [] }
    }

    private(set) var all: [Mark] = []
    /// By what they are found by.
    private var places: [String: [Int]] = [:]
    /// Who has points and no row: they have to be typed in by hand.
    var unplaced: [String] { all.filter { !$0.isPlaced }.map(\.learner) }

    /// Entries that are no submission have no points.
    mutating func add(_ report: LearnerReport) {
        guard report.maxPoints > 0 || report.record.identity?.number != nil else { return }
        let mark = Mark(
            learner: report.record.learner, identity: report.record.identity, points: report.points,
            maxPoints: report.maxPoints, feedback: report.feedback)
        let known = mark.numbers.map { "number \($0)" } + mark.emails.map { "email \($0)" }
        if mark.maxPoints > 0 {
            for place in known { places[place, default: []].append(all.count) }
        }
        all.append(mark)
    }

    mutating func place(_ index: Int) { all[index].isPlaced = true }

    /// Names say whose row it is only where no other row has the name, and no other learner.
    mutating func addNames(ofRows names: [String]) {
        let counts = names.reduce(into: [String: Int]()) { $0[LearnerName.key($1), default: 0] += 1 }
        // Who has a number is another person than one of the same name.
        for (index, mark) in all.enumerated() where mark.maxPoints > 0 && mark.numbers.isEmpty {
            for key in LearnerName.keys(of: mark.learner, among: { counts[$0] != nil }) where counts[key] == 1 {
                places["name \(key)", default: []].append(index)
            }
        }
    }

    static func hundredths(_ points: Int) -> String { decimal(points * 100, ".") }

    fileprivate static func decimal(_ hundredths: Int, _ point: String) -> String {
        "\(hundredths / 100)\(point)\(hundredths / 10 % 10)\(hundredths % 10)"
    }

    /// Whose row it is: the number decides, then the address, then a name that no other learner has.
    mutating func take(number: String, email: String, name: String) -> Mark? {
        let marks = [("number", number), ("email", email.lowercased()), ("name", LearnerName.key(name))]
        let found = marks.filter { !$1.isEmpty }.compactMap { places["\($0) \($1)"] }
        guard let index = found.first(where: { $0.count == 1 })?[0] else { return nil }
        place(index)
        return all[index]
    }
}

extension PlatformMarks.Mark {
    /// The points in the platform's own scale, with two digits behind the point, as Moodle and Canvas write them.
    ///
    /// - Parameter most: what the platform gives at most, as it writes that; the points as they are where it says nothing.
    func grade(most text: String) -> String {
        // The last of several signs is the point: `1,000.00`.
        let point = text.last { $0 == "," || $0 == "." }
        let comma = point == ","
        let signs = text.filter { $0 == "," || $0 == "." }
        let digits = signs.contains { $0 != point } ? text.filter { $0 == point || $0 != "," && $0 != "." } : text
        let whole = Double(digits.replacing(",", with: ".").trimmingCharacters(in: .whitespaces)) ?? 0
        let most = (0.01...1_000_000).contains(whole) ? Int((whole * 100).rounded()) : maxPoints * 100
        let value = maxPoints == 0 ? 0 : (points * most * 2 + maxPoints) / (maxPoints * 2)
        return PlatformMarks.decimal(value, comma ? "," : ".")
    }
}

extension LearnerReport {
    /// What becomes of the points, in a line: each kata, and what is taken off.
    fileprivate var feedback: String {
        let results = katas.map { kata in
            let isHandedIn = isHandedIn(kata.kata)
            let outcome =
                isHandedIn ? localization.strings(ReportKey(kata.outcome)) : localization.gradebook(.notHandedIn)
            let points = localization.strings(.points, .integer(kata.points), .integer(kata.maxPoints))
            return "\(kata.kata): \(outcome), \(points)"
        }
        return (results + adjustments + [problemOfNoKata].compactMap(\.self)).joined(separator: "; ")
    }
}
