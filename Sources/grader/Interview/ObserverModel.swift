import Foundation
import Workbook

/// What the observer of an interview knows, and what their keys do. Nothing of it changes the session.
struct ObserverModel: Sendable {
    enum View: CaseIterable, Sendable { case code, verdict, moments, rubric, scorecard }

    enum Event: Sendable {
        /// What is known of the session; `nil` before its time begins.
        case session(InterviewRecord?, beat: InterviewMoment?)
        /// Whether the candidate's program is there, `nil` where that is not known; and whether another observer takes notes.
        case tick(isRunning: Bool?, isTaken: Bool)
        case key(Key)
        case notice(String)
        case resized(Terminal.Size)
    }

    enum Effect: Equatable, Sendable {
        case keep(InterviewEvent)
        /// Say that another observer takes notes: before a whole note is typed.
        case refuse
        case quit
    }

    /// A question of a kata's brief.
    struct Question: Equatable, Sendable {
        var kata: String
        /// From 1.
        var number: Int
        var text: String
        /// What a good answer mentions.
        var points: [String] = []
    }

    /// A line that is typed, and what it becomes.
    struct Line: Equatable, Sendable {
        enum Kind: Sendable {
            case note
            /// What is said about a question of the rubric.
            case sentence
            /// What is said about a thing of the scorecard.
            case scoreSentence
        }

        var kind: Kind
        var text: NoteLine
    }

    var record: InterviewRecord?
    var questions: [Question] = []
    private(set) var beat: InterviewMoment?
    private var isThere: Bool?
    private var isTaken = false
    private(set) var now: Date
    var size: Terminal.Size
    private(set) var view = View.code
    /// The question under the cursor.
    private(set) var cursor = 0
    /// The thing under the cursor of the scorecard.
    private(set) var item = InterviewScore.Item.recommendation
    private(set) var line: Line?
    private(set) var notice: String?
    var scroll = 0

    /// A session tells the disk how far it is every few seconds; where nothing else is known, one that does not is not running.
    static let longestSilence = 15.0

    init(size: Terminal.Size, now: Date) {
        self.size = size
        self.now = now
    }

    var takesText: Bool { line != nil }

    // MARK: - The session

    private var silence: Double { beat.map { now.timeIntervalSince($0.time) } ?? .infinity }
    var isRunning: Bool { isThere ?? (silence <= Self.longestSilence) }

    /// The session's own time.
    var at: Double {
        guard let record else { return 0 }
        let known = max(record.last.at, beat?.at ?? 0)
        guard record.end == nil, record.pausedSince == nil, isRunning, let beat else { return known }
        return min(record.plan.seconds, max(known, beat.at + max(0, silence)))
    }

    /// What the candidate works on: what was opened or saved last.
    var kata: Kata? {
        guard let record else { return nil }
        var name = record.openings.last?.kata
        if let save = record.saves.last, save.moment.time >= record.openings.last?.moment.time ?? .distantPast {
            name = save.kata
        }
        return record.plan.katas.first { $0.kata == name } ?? record.plan.katas.first
    }

    var save: InterviewRecord.Save? { record?.saves.last { $0.kata == kata?.kata } }

    /// The last save of the kata that was graded.
    var graded: InterviewRecord.Save? { record?.saves.last { $0.kata == kata?.kata && $0.verdict != nil } }

    private var texts: [String] {
        guard let record else { return [] }
        let opening = record.openings.first { $0.kata == kata?.kata }?.text
        return [opening].compactMap(\.self) + record.saves.filter { $0.kata == kata?.kata }.map(\.text)
    }

    /// The code as it is, each line with whether the text before did not have it.
    var code: [(text: Substring, isNew: Bool)] {
        let texts = texts
        let lines = (texts.last ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let before = texts.dropLast().last.map { Set($0.split(separator: "\n")) }
        return lines.map { line in
            (line, before.map { !line.allSatisfy(\.isWhitespace) && !$0.contains(line) } ?? false)
        }
    }

    // MARK: - What happens

    mutating func handle(_ event: Event, at now: Date) -> [Effect] {
        self.now = now
        switch event {
        case .session(let record, let beat):
            let isNew = record?.saves.last?.number != self.record?.saves.last?.number
            self.record = record
            self.beat = beat
            if isNew { notice = nil }
            // What has changed is what there is to see.
            if isNew, view == .code { scroll = max(0, (code.firstIndex { $0.isNew } ?? 0) - 3) }
            return []
        case .tick(let isRunning, let isTaken):
            isThere = isRunning
            self.isTaken = isTaken
            return []
        case .key(let key): return answer(key)
        case .notice(let sentence):
            notice = sentence
            return []
        case .resized(let size):
            self.size = size
            return []
        }
    }

    private mutating func answer(_ key: Key) -> [Effect] {
        notice = nil
        // Before the start there is nothing to turn to.
        if record == nil { return key == .letter("q") ? [.quit] : [] }
        if let line { return type(key, in: line) }
        switch key {
        case .letter("q"): return [.quit]
        case .letter("v"), .escape: turn(to: Self.after(view))
        case .letter("r"): turn(to: view == .rubric ? .code : .rubric)
        case .letter("s"): turn(to: view == .scorecard ? .code : .scorecard)
        case .letter("a"): return begin(.note)
        default:
            if view == .rubric { return answerRubric(key) }
            if view == .scorecard { return answerScorecard(key) }
            scroll = key.scrolled(from: scroll, rows: size.rows) ?? scroll
        }
        return []
    }

    private static func after(_ view: View) -> View {
        switch view {
        case .code: .verdict
        case .verdict: .moments
        case .moments, .rubric, .scorecard: .code
        }
    }

    private mutating func turn(to view: View) {
        self.view = view
        scroll = 0
    }

    private mutating func type(_ key: Key, in typed: Line) -> [Effect] {
        var typed = typed
        let end = typed.text.answer(key)
        line = end == nil ? typed : nil
        guard end == .kept else { return [] }
        switch typed.kind {
        case .note:
            guard let note = typed.text.kept else { return [] }
            return [.keep(InterviewEvent(typed.text.begun, .observed(kata: typed.text.kata, text: note)))]
        case .sentence:
            let sentence = typed.text.kept ?? ""
            return judge { $0.sentence = sentence }
        case .scoreSentence:
            let sentence = typed.text.kept ?? ""
            return rate { $0.sentence = sentence }
        }
    }

    private mutating func begin(_ kind: Line.Kind) -> [Effect] {
        if isTaken { return [.refuse] }
        line = Line(kind: kind, text: NoteLine(begun: InterviewMoment(at: at, time: now), kata: kata?.kata ?? ""))
        return []
    }

    // MARK: - The questions

    func judgement(of question: Question) -> InterviewRecord.Judgement? {
        record?.rubric?.first { $0.kata == question.kata && $0.number == question.number }
    }

    private mutating func answerRubric(_ key: Key) -> [Effect] {
        guard questions.indices.contains(cursor) else { return [] }
        switch key {
        case .up, .letter("k"): cursor = max(0, cursor - 1)
        case .down, .letter("j"): cursor = min(questions.count - 1, cursor + 1)
        case .enter: return begin(.sentence)
        case .backspace, .letter("0"): return judge { $0.mark = nil }
        case .letter(let letter):
            guard let mark = letter.wholeNumberValue, InterviewRecord.Judgement.marks.contains(mark) else { return [] }
            return judge { $0.mark = mark }
        default: break
        }
        return []
    }

    private func judge(_ change: (inout InterviewRecord.Judgement) -> Void) -> [Effect] {
        let question = questions[cursor]
        var judgement =
            judgement(of: question)
            ?? .init(kata: question.kata, number: question.number, question: question.text, mark: nil, sentence: "")
        change(&judgement)
        return [.keep(InterviewEvent(InterviewMoment(at: at, time: now), .judged(judgement)))]
    }

    // MARK: - The scorecard

    func score(of item: InterviewScore.Item) -> InterviewScore? { record?.scores?.first { $0.item == item } }

    private mutating func answerScorecard(_ key: Key) -> [Effect] {
        let items = InterviewScore.Item.allCases
        let place = items.firstIndex(of: item) ?? 0
        switch key {
        case .up, .letter("k"): item = items[max(0, place - 1)]
        case .down, .letter("j"): item = items[min(items.count - 1, place + 1)]
        case .enter: return begin(.scoreSentence)
        case .backspace, .letter("0"): return rate { $0.mark = nil }
        case .letter(let letter):
            guard let mark = letter.wholeNumberValue, item.marks.contains(mark) else { return [] }
            return rate { $0.mark = mark }
        default: break
        }
        return []
    }

    private func rate(_ change: (inout InterviewScore) -> Void) -> [Effect] {
        var score = score(of: item) ?? InterviewScore(item)
        change(&score)
        return [.keep(InterviewEvent(InterviewMoment(at: at, time: now), .scored(score)))]
    }
}

extension ObserverModel.Question {
    /// The questions of a brief: the list under its heading.
    static func all(in brief: String, of kata: String, heading: String) -> [Self] {
        let lines = brief.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != "## " + heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        var texts: [String] = []
        for line in section {
            if line.hasPrefix("- ") {
                texts.append(String(line.dropFirst(2)))
            } else if !texts.isEmpty, !line.isEmpty {
                texts[texts.count - 1] += " " + line.drop { $0 == " " }
            }
        }
        return texts.enumerated().map { Self(kata: kata, number: $0 + 1, text: $1) }
    }
}
