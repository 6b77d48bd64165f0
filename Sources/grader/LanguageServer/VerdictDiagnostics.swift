import Reports
import Workbook

/// A verdict as an editor shows it: what the compiler says and where data races are on their lines, and what a test found on
/// the declaration of the part that it needs.
struct VerdictDiagnostics: Sendable {
    struct Item: Equatable, Sendable {
        enum Severity: Int, Sendable { case error = 1, warning, information }

        var span: DocumentPlaces.Span
        var severity: Severity
        var message: String
        /// The test, where it is one's finding.
        var test: KataTest.ID?
        /// What follows from it, or explains it.
        var related: [Related] = []
    }

    struct Related: Equatable, Sendable {
        var span: DocumentPlaces.Span
        var message: String
    }

    private(set) var items: [Item] = []
    private let places: DocumentPlaces
    private let bytes: [UInt8]
    private let parts: StubParts

    /// - Parameters:
    ///   - text: what was graded.
    ///   - parts: those of the stub as it is shipped.
    init(_ localized: LocalizedVerdict, text: String, parts: StubParts, strings: ReportStrings) {
        places = DocumentPlaces(text)
        bytes = Array(text.utf8)
        self.parts = parts
        addMessages(localized.verdict, strings)
        addFailures(localized, strings)
    }

    /// The compiler's messages, and what the file may not do. Notes belong to what stands before them.
    private mutating func addMessages(_ verdict: Verdict, _ strings: ReportStrings) {
        let hint = CheckText(
            strings: strings, style: TextStyle(isColored: false, isUnicode: true), hintStep: .noneLeft
        ).compileHint(verdict.diagnostics)
        var hasError = false
        for diagnostic in verdict.diagnostics {
            let span =
                diagnostic.line > 0
                ? places.span(line: diagnostic.line, column: diagnostic.column) : places.span(line: 1)
            let message = strings(diagnostic.message)
            if diagnostic.severity == .note, !items.isEmpty {
                items[items.count - 1].related.append(Related(span: span, message: message))
                continue
            }
            let isFirstError = diagnostic.severity == .error && !hasError
            hasError = hasError || isFirstError
            items.append(
                Item(
                    span: span, severity: Item.Severity(diagnostic.severity),
                    message: ([message] + (isFirstError ? hint : [])).joined(separator: "\n")))
        }
    }

    /// The failures that a learner should look at now, each with those that follow from it.
    private mutating func addFailures(_ localized: LocalizedVerdict, _ strings: ReportStrings) {
        let (verdict, kata) = (localized.verdict, localized.kata)
        guard verdict.outcome == .failed || verdict.outcome == .passed else { return }
        let results = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        let shown = verdict.nextFailures(in: kata)
        let followers = followers(
            of: shown, in: kata, failing: kata.tests.filter { results[$0.id]?.outcome != .passed })
        for test in shown {
            let result = results[test.id] ?? TestVerdict(id: test.id, outcome: .notRun, points: 0)
            let accesses = (result.race?.lines ?? []).map { access in
                Related(span: places.span(line: access.line), message: access.code)
            }
            let text = [localized.texts.title(of: test), result.message(strings) ?? strings(result.outcome)]
            let severity: Item.Severity =
                result.unwritten != nil || result.outcome == .notRun
                ? .information : test.tier == .core ? .error : .warning
            let after = followers[test.id, default: []].map { follower in
                Related(span: place(of: follower, in: verdict), message: localized.texts.title(of: follower))
            }
            items.append(
                Item(
                    span: accesses.first?.span ?? place(of: test, in: verdict), severity: severity,
                    message: text.joined(separator: "\n"), test: test.id, related: accesses.dropFirst() + after))
        }
    }

    /// Each failure that others explain, with the first of these.
    private func followers(of roots: [KataTest], in kata: Kata, failing: [KataTest]) -> [KataTest.ID: [KataTest]] {
        let shown = Set(roots.map(\.id))
        let explanations = Dictionary(failing.map { ($0.id, $0.after) }) { first, _ in first }
        var followers: [KataTest.ID: [KataTest]] = [:]
        for test in failing where !shown.contains(test.id) {
            var seen: Set<KataTest.ID> = [test.id]
            var left = test.after
            while !left.isEmpty {
                let id = left.removeFirst()
                guard let further = explanations[id], seen.insert(id).inserted else { continue }
                if shown.contains(id) {
                    followers[id, default: []].append(test)
                    break
                }
                left += further
            }
        }
        return followers
    }

    /// The name of the part that is still to be written, or else of the first that the test needs.
    private func place(of test: KataTest, in verdict: Verdict) -> DocumentPlaces.Span {
        let unwritten = verdict.tests.first { $0.id == test.id }?.unwritten ?? []
        let named = (unwritten + test.parts).lazy.compactMap { parts.place(of: $0, in: bytes) }.first
        return (named ?? StubParts.firstPlace(in: bytes)).map(places.span) ?? places.span(line: 1)
    }

    /// What stands at a place.
    func items(at place: DocumentPlaces.Place) -> [Item] { items.filter { $0.span.contains(place) } }

    /// As the protocol has them.
    func json(uri: String) -> JSONValue {
        .list(
            items.map { item in
                var values: [String: JSONValue] = [
                    "range": item.span.json, "severity": .integer(item.severity.rawValue), "source": .text("grader"),
                    "message": .text(TextStyle.harmless(item.message)),
                ]
                if let test = item.test { values["code"] = .text(test) }
                if !item.related.isEmpty {
                    values["relatedInformation"] = .list(
                        item.related.map { related in
                            .object([
                                "location": .object(["uri": .text(uri), "range": related.span.json]),
                                "message": .text(TextStyle.harmless(related.message)),
                            ])
                        })
                }
                return .object(values)
            })
    }
}

extension VerdictDiagnostics.Item.Severity {
    fileprivate init(_ severity: Diagnostic.Severity) {
        self =
            switch severity {
            case .error: .error
            case .warning: .warning
            case .note: .information
            }
    }
}
