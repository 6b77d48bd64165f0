import Workbook

/// An answer whose verdict is known beforehand.
struct KnownAnswer: Sendable, Equatable {
    enum Kind: Sendable { case stub, model, mutant, right }

    /// What a mutant must show first: a test, and its hint or the kind of mistake that was found.
    struct FirstHint: Sendable, Equatable {
        var test: String
        var name: String
    }

    var kind: Kind
    /// In the workbook.
    var path: String
    var text: String
    /// The tests that it must fail.
    var fails: Set<String> = []
    /// The tests that it fails or passes as threads happen to meet.
    var mayFail: Set<String> = []
    var hint: FirstHint?

    /// The file's name without its ending.
    var name: String { KataFiles.File(path: path).name }
    /// The code of the usual guide, which the kata goes beyond.
    var isArticle: Bool { kind == .mutant && name == "Article" }
}

extension KataFiles {
    /// The answers that the suite is tried on, and what is wrong with the headers that say what they are.
    func answers() -> (answers: [KnownAnswer], shortcomings: [Shortcoming]) {
        var answers: [KnownAnswer] = []
        var shortcomings: [Shortcoming] = []
        if let text = modelAnswer.text { answers.append(KnownAnswer(kind: .model, path: modelAnswer.path, text: text)) }
        if let text = shippedStub.text {
            let all = Set(kata.tests.map(\.id))
            // One line more, since the stub as shipped is known and not run.
            answers.append(
                KnownAnswer(kind: .stub, path: stub.path, text: text + "\n// begun\n", fails: all))
        }
        for file in approaches + mutants {
            let (answer, found) = answer(file)
            shortcomings += found
            if let answer { answers.append(answer) }
        }
        return (answers, shortcomings)
    }

    /// Reads the first lines of the answer, edited where its file is an `AnswerEdit`: `// mutant: <what is wrong>` or `// right: <style>`; `// fails: <test>` for each test;
    /// `// may fail: <test>` for one that a race decides; `// hint: <test> <hint or kind>` for what is shown first.
    private func answer(_ file: File) -> (KnownAnswer?, [Shortcoming]) {
        guard let text = file.text else { return (nil, [shortcoming(.editDoesNotFit, file.path)]) }
        let header = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("//") }
        func values(_ key: String) -> [String] {
            header.filter { $0.hasPrefix("// \(key): ") }
                .map { $0.dropFirst("// \(key): ".count).trimmingCharacters(in: .whitespaces) }
        }
        let isMutant = header.first?.hasPrefix("// mutant: ") == true
        guard isMutant || header.first?.hasPrefix("// right: ") == true else {
            return (nil, [shortcoming(.answerWithoutHeader, file.path)])
        }
        let (fails, mayFail, hints) = (values("fails"), values("may fail"), values("hint"))
        var found: [Shortcoming] = []
        if isMutant, fails.isEmpty { found.append(shortcoming(.mutantFailsNothing, file.path)) }
        if !isMutant, !fails.isEmpty || !hints.isEmpty { found.append(shortcoming(.rightAnswerNamesTests, file.path)) }
        let known = Set(kata.tests.map(\.id))
        for test in fails + mayFail where !known.contains(test) {
            found.append(shortcoming(.headerTestUnknown, file.path, test))
        }
        var answer = KnownAnswer(
            kind: isMutant ? .mutant : .right, path: file.path, text: text, fails: Set(fails), mayFail: Set(mayFail))
        if isMutant {
            let words = hints.map { $0.split(separator: " ").map(String.init) }
            if words.count == 1, words[0].count == 2 {
                answer.hint = KnownAnswer.FirstHint(test: words[0][0], name: words[0][1])
                if !fails.isEmpty, !fails.contains(words[0][0]) {
                    found.append(shortcoming(.headerHintTestPasses, file.path, words[0][0]))
                }
            } else {
                found.append(shortcoming(.headerHintMissing, file.path))
            }
        }
        return (answer, found)
    }
}

/// Which answers a suite is tried on.
public enum AnswerSelection: Sendable {
    case all
    /// The stub, the model answer and the usual guide's: a quick look.
    case quick

    func includes(_ answer: KnownAnswer) -> Bool {
        self == .all || answer.kind == .stub || answer.kind == .model || answer.isArticle
    }
}
