/// What is new in a text of a session, and in how many seconds it came.
///
/// What the session's texts held before is not new, so that code which is moved or brought back does not count.
public struct InterviewNewText: Codable, Sendable, Equatable {
    /// The new characters, without spaces.
    public var characters: Int
    /// The session's own seconds since the save before, of whichever kata.
    public var seconds: Double

    /// Fewer characters may be a name that an editor completes.
    static let fewest = 100
    /// Characters a second that few people type for twenty seconds, and those that few people type for longer.
    static let fastest = 15.0
    static let fastestForLong = 8.0

    public init(characters: Int, seconds: Double) {
        self.characters = characters
        self.seconds = seconds
    }

    /// - Parameter known: the lines that any text of the session had before.
    init(in text: String, after before: String, seconds: Double, known: Set<Substring>) {
        let lines = Self.lines(of: text)
        let kept = Set(lines)
        var gone: [Substring: Int] = [:]
        for word in Self.lines(of: before).filter({ !kept.contains($0) }).flatMap(Self.words) {
            gone[word, default: 0] += 1
        }
        // A line that was changed is new, but not the words that it kept.
        var characters = 0
        for word in lines.filter({ !known.contains($0) }).flatMap(Self.words) {
            if let left = gone[word], left > 0 { gone[word] = left - 1 } else { characters += word.count }
        }
        self.init(characters: characters, seconds: seconds)
    }

    /// Whether it arrived at once: it is more than most people type in the time.
    ///
    /// That says when, and not from where: a paste, a block that the editor completed and a file from elsewhere look the
    /// same.
    var isBurst: Bool {
        let typed = Self.fastest * min(seconds, 20) + Self.fastestForLong * max(0, seconds - 20)
        return characters >= Self.fewest && Double(characters) > typed
    }

    /// Whether so much came with one save that a reader of the session has not seen it being written.
    var isUnseen: Bool { !isBurst && characters >= 300 }

    /// The lines that say something, without the spaces around them.
    static func lines(of text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).map { line in
            let begun = line.drop(while: \.isWhitespace)
            return begun[..<(begun.lastIndex { !$0.isWhitespace }.map(begun.index(after:)) ?? begun.startIndex)]
        }.filter { !$0.isEmpty }
    }

    /// Names and numbers as a whole, and signs one by one.
    private static func words(of line: Substring) -> [Substring] {
        var words: [Substring] = []
        var rest = line.drop(while: \.isWhitespace)
        while let first = rest.first {
            let isPart = { (character: Character) in character.isLetter || character.isNumber || character == "_" }
            let word = isPart(first) ? rest.prefix(while: isPart) : rest.prefix(1)
            words.append(word)
            rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
        }
        return words
    }
}

extension InterviewRecord {
    /// The save with which most of a kata came, if the session does not show how it was written, and how many new
    /// characters came with all of them.
    public func unseenSave(of kata: String) -> (save: Save, characters: Int)? {
        let saves = saves.filter { $0.kata == kata }
        let characters = saves.reduce(0) { $0 + ($1.added?.characters ?? 0) }
        let unseen = saves.first { save in
            save.added.map { $0.isUnseen && $0.characters * 2 > characters } ?? false
        }
        return unseen.map { ($0, characters) }
    }

    /// The session's seconds at the save before: what is new in a save was written since then.
    ///
    /// An editor may save the files of several katas together. Then the others are not before it.
    private func secondsBefore(_ index: Int) -> Double {
        let save = saves[index]
        let together = 1.0
        let before = saves[..<index].last { $0.kata == save.kata || $0.moment.at <= save.moment.at - together }
        return before?.moment.at ?? begun.at
    }

    /// Finds what is new in each save, and marks those with which text arrived at once.
    mutating func findNewText() {
        var known: Set<Substring> = []
        var latest: [String: String] = [:]
        var openings = openings[...]
        for index in saves.indices {
            let save = saves[index]
            while let opening = openings.first, opening.moment.time <= save.moment.time {
                openings.removeFirst()
                // Later ones tell nothing new of the text.
                guard latest[opening.kata] == nil else { continue }
                known.formUnion(InterviewNewText.lines(of: opening.text))
                latest[opening.kata] = opening.text
            }
            // A file may be written without turning to its kata.
            if latest[save.kata] == nil, let stub = plan.stubs?[save.kata] {
                known.formUnion(InterviewNewText.lines(of: stub))
                latest[save.kata] = stub
            }
            if let before = latest[save.kata] {
                // A difference of milliseconds is not one of many places.
                let seconds = (max(0, save.moment.at - secondsBefore(index)) * 1000).rounded() / 1000
                let added = InterviewNewText(in: save.text, after: before, seconds: seconds, known: known)
                saves[index].added = added
                saves[index].burst = added.isBurst ? added : nil
            }
            known.formUnion(InterviewNewText.lines(of: save.text))
            latest[save.kata] = save.text
        }
    }
}
