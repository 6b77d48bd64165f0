import Workbook

/// What the keys of a session do: its own, and those of watch mode.
extension InterviewModel {
    mutating func answer(_ key: Key) -> [Effect] {
        switch phase {
        case .closed:
            if [.letter("q"), .enter, .escape].contains(key) { return [.quit] }
            watch.move(key)
            return []
        case .closing: return key == .letter("q") ? [.quit] : []
        case .ready: return answerBeforeTheStart(key)
        case .running, .paused: break
        }
        notice = nil
        watch.notice = nil
        if note != nil { return type(key) }
        if asksToFinish {
            asksToFinish = false
            return key == .letter("y") ? close(.finished) : []
        }
        switch key {
        case .letter("a"):
            note = NoteLine(begun: time.moment, kata: watch.kata.kata)
            return []
        case .letter("f"):
            asksToFinish = true
            return []
        case .letter("p"): return phase == .paused ? goOn() : pause()
        default: return phase == .paused ? (key == .letter("q") ? [.quit] : []) : answerAsWatch(key)
        }
    }

    /// The brief is not shown yet: reading it is a part of the work.
    private mutating func answerBeforeTheStart(_ key: Key) -> [Effect] {
        switch (watch.screen, key) {
        case (.kata, .enter): return begin()
        case (.kata, .letter("q")): return [.quit]
        case (.kata, .letter("g")), (.language, _): return carryOver(watch.handle(.key(key)))
        default:
            watch.move(key)
            return []
        }
    }

    private mutating func pause() -> [Effect] {
        if pauseLeft == 0 {
            notice = plan.pauseMinutes == 0 ? .noPause : .noPauseLeft
            return []
        }
        phase = .paused
        time.pause()
        return [keep(.paused)]
    }

    private mutating func goOn() -> [Effect] { endPause(time.resume()) }

    /// After a pause of so many seconds.
    mutating func endPause(_ seconds: Double) -> [Effect] {
        phase = .running
        pauseLeft = pauseLeft.map { max(0, $0 - seconds) }
        return [keep(.resumed(seconds: seconds))] + gradeNext()
    }

    private mutating func type(_ key: Key) -> [Effect] {
        guard let end = note?.answer(key) else { return [] }
        return endNote(keeping: end == .kept)
    }

    mutating func endNote(keeping isKept: Bool) -> [Effect] {
        defer { note = nil }
        guard isKept, let note, let text = note.kept else { return [] }
        notice = .noteKept
        return [.keep(InterviewEvent(note.begun, .note(kata: note.kata, text: text)))]
    }

    private mutating func answerAsWatch(_ key: Key) -> [Effect] {
        switch (watch.screen, key) {
        case (.kata, .letter("n")):
            guard plan.katas.count > 1 else {
                notice = .onlyKata
                return []
            }
            return carryOver(watch.jump(to: (watch.current + 1) % plan.katas.count))
        case (.kata, .letter("r")), (.kata, .enter):
            // A verdict belongs to a save: only what could not be graded is tried again.
            failed = []
            return gradeNext()
        case (.kata, .letter("h")):
            if isOutOfHints {
                notice = .noHintsLeft
                return []
            }
        case (.list, .letter("x")), (.list, .letter("c")):
            // Nothing of a session is thrown away, and each save is graded once.
            return []
        case (.kata, .letter(let letter)) where ["x", "c", "e", "m", "u", "?"].contains(letter):
            watch.notice = .noUse(letter)
            return []
        default: break
        }
        return carryOver(watch.handle(.key(key)))
    }

    /// What watch mode would do, as a session does it.
    mutating func carryOver(_ effects: [WatchModel.Effect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .watch(let kata):
                guard kata != opened else { return [] }
                opened = kata
                let name = plan.katas[kata].kata
                return [keep(.opened(kata: name, text: texts[name] ?? "")), .turn(to: kata)]
            case .remember(let test, let mistake, let level, let kata):
                let name = plan.katas[kata].kata
                hintsTaken += 1
                _ = watch.handle(.hintShown(mistake: mistake, level: level, kata: name))
                return [keep(.hint(kata: name, test: test, level: level))]
            case .speak(let language): return [.speak(language)]
            case .quit: return [.quit]
            // A session grades its saves, and nothing else.
            case .grade, .gradeAll, .edit, .prepare, .reset: return []
            }
        }
    }
}
