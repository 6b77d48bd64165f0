import Foundation
import Workbook

/// Takes people's names out of whatever they wrote: each becomes its person's label.
///
/// A name is found in any case, with or without its accents, its parts joined by a space, `-`, `_`, `@` or nothing, and
/// inside longer words as well: `AnaGarcia.swift`, `ana_garcia`. A part of a name (`Garcia`) is found where it stands as a
/// word, or begins one that is written in capitals between. Rather a word too many is replaced than a name left.
public struct NameRedactor: Sendable {
    private struct Pattern: Sendable {
        /// The folded letters of each part of the name.
        var parts: [[Character]]
        /// Whether it is found only where a word begins and ends.
        var standsAlone: Bool
        var label: String
    }

    private let patterns: [Pattern]
    private let first: Set<Character>

    public init(_ people: [(name: String, label: String)]) {
        var patterns: [Pattern] = []
        for (name, label) in people {
            let parts = name.split { !Self.isOfName($0) }.map { part in part.map(Self.fold) }.filter { !$0.isEmpty }
            let letters = parts.joined().count
            guard letters > 0 else { continue }
            let hasCase = parts.joined().contains(where: \.isCased)
            patterns.append(Pattern(parts: parts, standsAlone: letters < (hasCase ? 3 : 2), label: label))
            guard parts.count > 1 else { continue }
            // A number, as in `group 12`, is not a name.
            for part in parts where part.contains(where: \.isLetter) {
                guard part.count >= (part.contains(where: \.isCased) ? 3 : 2) else { continue }
                patterns.append(Pattern(parts: [part], standsAlone: hasCase, label: label))
            }
        }
        // What is longer is looked for first: a whole name goes before its parts, and before a name within it.
        self.patterns = patterns.sorted { $0.parts.joined().count > $1.parts.joined().count }
        first = Set(patterns.compactMap { $0.parts.first?.first })
    }

    public func callAsFunction(_ text: String) -> String {
        let characters = Array(text)
        let folded = characters.map(Self.fold)
        var result = ""
        var index = 0
        var isChanged = false
        scan: while index < characters.count {
            if first.contains(folded[index]) {
                for pattern in patterns {
                    guard let end = Self.end(of: pattern, at: index, in: folded),
                        !pattern.standsAlone || Self.standsAlone(index..<end, in: characters)
                    else { continue }
                    result += pattern.label
                    index = end
                    isChanged = true
                    continue scan
                }
            }
            result.append(characters[index])
            index += 1
        }
        return isChanged ? result : text
    }

    private static func end(of pattern: Pattern, at start: Int, in folded: [Character]) -> Int? {
        var index = start
        for (number, part) in pattern.parts.enumerated() {
            if number > 0, index < folded.count, !isOfName(folded[index]), !folded[index].isNewline { index += 1 }
            guard index + part.count <= folded.count, folded[index..<index + part.count].elementsEqual(part) else {
                return nil
            }
            index += part.count
        }
        return index
    }

    private static func standsAlone(_ range: Range<Int>, in text: [Character]) -> Bool {
        func isBoundary(_ left: Character, _ right: Character) -> Bool {
            !left.isLetter || !right.isLetter || (left.isLowercase && right.isUppercase)
        }
        return (range.lowerBound == 0 || isBoundary(text[range.lowerBound - 1], text[range.lowerBound]))
            && (range.upperBound == text.count || isBoundary(text[range.upperBound - 1], text[range.upperBound]))
    }

    private static func isOfName(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static func fold(_ character: Character) -> Character {
        if let value = character.asciiValue {
            return (65...90).contains(value) ? Character(Unicode.Scalar(value + 32)) : character
        }
        let folded = String(character).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return folded.first ?? character
    }
}

extension NameRedactor {
    /// A record without its candidate's name, and without that of anybody else who is to be blinded. What the workbook
    /// itself wrote stays: names of katas and tests.
    public func callAsFunction(_ record: InterviewRecord, label: String) -> InterviewRecord {
        // A session's saves are much alike: each text is looked through once.
        var known: [String: String] = [:]
        func blind(_ text: String) -> String {
            if let blinded = known[text] { return blinded }
            let blinded = self(text)
            known[text] = blinded
            return blinded
        }
        var record = record
        record.plan.candidate = label
        for index in record.openings.indices { record.openings[index].text = blind(record.openings[index].text) }
        for index in record.notes.indices { record.notes[index].text = blind(record.notes[index].text) }
        record.privateNotes = record.privateNotes?.map { note in
            var note = note
            note.text = blind(note.text)
            note.observer = note.observer.map(blind)
            return note
        }
        record.rubric = record.rubric?.map { judgement in
            var judgement = judgement
            judgement.sentence = blind(judgement.sentence)
            judgement.observer = judgement.observer.map(blind)
            return judgement
        }
        record.scores = record.scores?.map { score in
            var score = score
            score.sentence = blind(score.sentence)
            score.observer = score.observer.map(blind)
            return score
        }
        for index in record.saves.indices {
            record.saves[index].text = blind(record.saves[index].text)
            record.saves[index].verdict = record.saves[index].verdict?.mapTexts { blind(withoutFolder($0)) }
        }
        return record
    }

    /// The name of a session's folder has the day and the hour: a calendar tells whose session that was.
    private func withoutFolder(_ text: String) -> String {
        text.contains("/Exercises/") ? text.replacing(/[^\s`'"]*\/Exercises\//, with: "Exercises/") : text
    }

    /// A learner's record without their name.
    public func callAsFunction(_ record: LearnerRecord, label: String) -> LearnerRecord {
        var record = record
        record.learner = label
        record.sources = [label]
        record.identity = PlatformIdentity(isLate: record.identity?.isLate ?? false)
        record.problem = record.problem?.mapTexts(callAsFunction)
        for index in record.katas.indices {
            record.katas[index].path = record.katas[index].path.map(callAsFunction)
            record.katas[index].verdict = record.katas[index].verdict.mapTexts(callAsFunction)
        }
        return record
    }
}

extension Verdict {
    /// With other texts in the place of those that come from a learner.
    fileprivate func mapTexts(_ change: (String) -> String) -> Verdict {
        func changed(_ events: [Marbles.Event]) -> [Marbles.Event] {
            events.map { Marbles.Event(milliseconds: $0.milliseconds, label: change($0.label)) }
        }
        var verdict = self
        for place in verdict.diagnostics.indices {
            verdict.diagnostics[place].file = change(verdict.diagnostics[place].file)
            verdict.diagnostics[place].message = verdict.diagnostics[place].message.mapTexts(change)
        }
        verdict.reasonsToLook = verdict.reasonsToLook?.map { ReasonToLook($0.message.mapTexts(change), line: $0.line) }
        for place in verdict.tests.indices {
            verdict.tests[place].messages = verdict.tests[place].messages.map { $0.mapTexts(change) }
            verdict.tests[place].output = change(verdict.tests[place].output)
            verdict.tests[place].marbles = verdict.tests[place].marbles?.mapRows(changed)
            verdict.tests[place].race = verdict.tests[place].race?.mapCode(change)
            verdict.tests[place].schedule = verdict.tests[place].schedule?.mapCode(change)
        }
        return verdict
    }
}

extension LocalizableMessage {
    fileprivate func mapTexts(_ change: (String) -> String) -> LocalizableMessage {
        LocalizableMessage(key, arguments: arguments.map(change))
    }
}
