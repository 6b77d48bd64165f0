import Workbook

/// What an instructor says once to everyone who fails a test: `{"FirstValue": {"FirstValueTests/waits()": "…"}}`.
public struct TestComments: Sendable, Equatable {
    /// In the report's folder. Only the instructor makes it.
    public static let fileName = "comments.json"

    public enum Mistake: Error, Sendable, Equatable {
        case unexpected(found: String, expected: String)
        case unknownKata(String, known: [String])
        case unknownTest(KataTest.ID, kata: String, known: [KataTest.ID])
    }

    /// By kata and test.
    public let texts: [String: [KataTest.ID: String]]

    /// - Parameter katas: those that may have a comment.
    public init(_ json: JSONValue, katas: [Kata]) throws(Mistake) {
        func quoted(_ text: String) -> String { JSONValue.text(text).excerpt }
        func example(_ kata: Kata?) -> String { "\(quoted(kata?.tests.first?.id ?? "…")): \"…\"" }
        guard case .object(let entries) = json else {
            let kata = katas.first
            throw .unexpected(found: json.excerpt, expected: "{\(quoted(kata?.kata ?? "…")): {\(example(kata))}}")
        }
        var texts: [String: [KataTest.ID: String]] = [:]
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let kata = katas.first(where: { $0.kata == name }) else {
                throw .unknownKata(name, known: Self.nearestFirst(name, katas.map(\.kata)))
            }
            guard case .object(let comments) = entry else {
                throw .unexpected(
                    found: "\(quoted(name)): \(entry.excerpt)", expected: "\(quoted(name)): {\(example(kata))}")
            }
            for (id, comment) in comments.sorted(by: { $0.key < $1.key }) {
                let ids = kata.tests.map(\.id)
                guard ids.contains(id) else {
                    throw .unknownTest(id, kata: name, known: Self.nearestFirst(id, ids))
                }
                guard case .text(let text) = comment else {
                    throw .unexpected(found: "\(quoted(id)): \(comment.excerpt)", expected: "\(quoted(id)): \"…\"")
                }
                // An empty text is a comment that is still to be written.
                let isEmpty = text.allSatisfy(\.isWhitespace)
                if !isEmpty { texts[name, default: [:]][id] = text }
            }
        }
        self.texts = texts
    }

    private static func nearestFirst(_ name: String, _ known: [String]) -> [String] {
        guard let nearest = NearestName(to: name, among: known).name else { return known }
        return [nearest] + known.filter { $0 != nearest }
    }
}

extension TestComments.Mistake {
    /// What is wrong, and what to write.
    public func text(_ path: String, _ strings: ReportStrings) -> String {
        switch self {
        case .unexpected(let found, let expected):
            strings(.commentUnexpected, .text(path), .text(found), .text(expected))
        case .unknownKata(let name, let known): strings(.commentKata, .text(path), .text(name), .list(known))
        case .unknownTest(let id, let kata, let known):
            // All names of a kata are more than a person reads where one of them is meant.
            if let nearest = NearestName(to: id, among: known).name {
                strings(.commentTestNearest, .text(path), .text(id), .text(kata), .text(nearest))
            } else {
                strings(.commentTest, .text(path), .text(id), .text(kata), .list(known))
            }
        }
    }
}
