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
    /// Who has points and no row: they have to be typed in by hand.
    var unplaced: [String] { all.filter { !$0.isPlaced }.map(\.learner) }

    /// Entries that are no submission have no points.
    mutating func add(_ report: LearnerReport) {
        guard report.maxPoints > 0 || report.record.identity?.number != nil else { return }
        all.append(
            Mark(
                learner: report.record.learner, identity: report.record.identity, points: report.points,
                maxPoints: report.maxPoints, feedback: report.feedback))
    }

    mutating func place(_ index: Int) { all[index].isPlaced = true }

    static func hundredths(_ points: Int) -> String { decimal(points * 100, ".") }

    fileprivate static func decimal(_ hundredths: Int, _ point: String) -> String {
        "\(hundredths / 100)\(point)\(hundredths / 10 % 10)\(hundredths % 10)"
    }

    /// Whose row it is: the number decides, then the address, then a name that no other learner has.
    mutating func take(number: String, email: String, name: String) -> Mark? {
        func find(_ isSame: (Mark) -> Bool) -> Int? {
            let found = all.indices.filter { all[$0].maxPoints > 0 && isSame(all[$0]) }
            return found.count == 1 ? found[0] : nil
        }
        let key = LearnerName.key(name)
        let index =
            (number.isEmpty ? nil : find { $0.numbers.contains(number) })
            ?? (email.isEmpty ? nil : find { $0.emails.contains(email.lowercased()) })
            // Who has another number is another person of the same name.
            ?? (key.isEmpty ? nil : find { $0.numbers.isEmpty && LearnerName.keys(of: $0.learner).contains(key) })
        guard let index else { return nil }
        place(index)
        return all[index]
    }
}

extension PlatformMarks.Mark {
    /// The points in the platform's own scale, with two digits behind the point, as Moodle and Canvas write them.
    ///
    /// - Parameter most: what the platform gives at most, as it writes that; the points as they are where it says nothing.
    func grade(most text: String) -> String {
        let comma = text.contains(",") && !text.contains(".")
        let whole = Double(text.replacing(",", with: ".").trimmingCharacters(in: .whitespaces)) ?? 0
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
            let outcome = isHandedIn ? localization.strings(ReportKey(kata.outcome)) : localization.gradebook(.notHandedIn)
            let points = localization.strings(.points, .integer(kata.points), .integer(kata.maxPoints))
            return "\(kata.kata): \(outcome), \(points)"
        }
        return (results + [latenessText, problemOfNoKata].compactMap(\.self)).joined(separator: "; ")
    }
}
