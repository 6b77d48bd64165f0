import Foundation
import Storage
import Workbook

/// Sessions side by side, on the katas that all of them have.
public struct InterviewComparison: Sendable {
    public struct Session: Sendable, Equatable {
        /// What the session is called here: its candidate's name, or a letter.
        public var label: String
        public var record: InterviewRecord
        /// Whether the record was made of the session's journal.
        public var hasJournal: Bool

        /// The observer's judgements of the answers to a kata's questions.
        func rubric(of kata: String) -> [InterviewRecord.Judgement] {
            (record.rubric ?? []).filter { $0.kata == kata }
        }
    }

    public let sessions: [Session]
    public let isBlind: Bool
    /// The katas in common, in the first session's order.
    public let katas: [String]
    /// The katas that only some of the sessions have.
    public let leftOut: [String]
    /// The katas in common whose tests have changed between the sessions.
    public let changed: [String]
    /// What takes the names out of anything else that is said about these sessions; it leaves all as it is unless blind.
    public let redactor: NameRedactor

    /// - Parameter isWithoutJournal: the places of the records that were not made of their session's journal.
    public init(_ records: [InterviewRecord], isWithoutJournal: Set<Int> = [], blind: Bool) {
        isBlind = blind
        if blind {
            // The order comes of the sessions' own contents: neither of the names nor of who was asked about first.
            let ordered = records.enumerated().sorted {
                (Self.digest($0.element), $0.offset) < (Self.digest($1.element), $1.offset)
            }
            let labels = ordered.indices.map(Self.letter)
            let redactor = NameRedactor(
                zip(ordered, labels).map { (name: $0.element.plan.candidate, label: $1) })
            self.redactor = redactor
            sessions = zip(ordered, labels).map {
                Session(
                    label: $1, record: redactor($0.element, label: $1),
                    hasJournal: !isWithoutJournal.contains($0.offset))
            }
        } else {
            redactor = NameRedactor([])
            sessions = zip(records, Self.labels(of: records)).enumerated().map {
                Session(label: $1.1, record: $1.0, hasJournal: !isWithoutJournal.contains($0))
            }
        }
        let names = sessions.map { Set($0.record.plan.katas.map(\.kata)) }
        var seen: [Kata] = []
        for kata in sessions.flatMap(\.record.plan.katas) where !seen.contains(where: { $0.kata == kata.kata }) {
            seen.append(kata)
        }
        let common = seen.filter { kata in names.allSatisfy { $0.contains(kata.kata) } }
        katas = common.map(\.kata)
        leftOut = seen.map(\.kata).filter { kata in !common.contains { $0.kata == kata } }
        let plans = sessions.map(\.record.plan.katas)
        changed = common.filter { kata in
            plans.contains { plan in plan.contains { $0.kata == kata.kata && $0.tests != kata.tests } }
        }.map(\.kata)
    }

    /// What a session came to with one kata.
    public static func story(of kata: String, in session: Session) -> InterviewKataResult? {
        session.record.katas.first { $0.kata == kata }
    }

    /// The questions of a kata that were judged in any of the sessions, as the first of these has them.
    func questions(of kata: String) -> [InterviewRecord.Judgement] {
        var questions: [InterviewRecord.Judgement] = []
        for judgement in sessions.flatMap({ $0.rubric(of: kata) }) where !questions.contains(where: judgement.isSame) {
            questions.append(judgement)
        }
        return questions.sorted { $0.number < $1.number }
    }

    /// What has to be said before the figures, a sentence each.
    public func remarks(_ strings: InterviewReportStrings) -> [String] {
        var remarks: [String] = []
        if katas.isEmpty { remarks.append(strings(.comparisonNothing)) }
        if !leftOut.isEmpty { remarks.append(strings(.comparisonLeftOut, .list(leftOut))) }
        if Set(sessions.map(\.record.plan.minutes)).count > 1 {
            let lengths = sessions.map {
                strings(.remarkOf, .text($0.label), .text(ClockText.elapsed($0.record.plan.seconds)))
            }
            remarks.append(strings(.comparisonLength, .list(lengths)))
        }
        for kata in changed { remarks.append(strings(.comparisonChanged, .text(kata))) }
        for session in sessions {
            remarks += session.record.remarks(strings, hasJournal: session.hasJournal).map {
                strings(.remarkOf, .text(session.label), .text($0))
            }
        }
        return remarks
    }

    /// `A`, …, `Z`, `AA`, `AB`, ….
    static func letter(_ number: Int) -> String {
        let last = String(UnicodeScalar(UInt8(65 + number % 26)))
        return number < 26 ? last : letter(number / 26 - 1) + last
    }

    /// The candidates' names; a number distinguishes those with several sessions or without a name.
    private static func labels(of records: [InterviewRecord]) -> [String] {
        let names = records.map(\.plan.candidate)
        var counts: [String: Int] = [:]
        // Some disks don't tell capitals apart, and each session has a file.
        return names.map { name in
            let plain = name.lowercased()
            let isOnly = names.count { $0.lowercased() == plain } == 1
            counts[plain, default: 0] += 1
            return isOnly && !name.isEmpty ? name : (name.isEmpty ? "" : name + " ") + "(\(counts[plain] ?? 0))"
        }
    }

    private static func digest(_ record: InterviewRecord) -> String {
        var hash = SHA256()
        hash.update("\(record.plan.seed) \(record.begun.time.timeIntervalSince1970)".utf8)
        // What was written may hold a name.
        for save in record.saves { hash.update(" \(save.moment.at)".utf8) }
        return hash.finalize().hex
    }
}
