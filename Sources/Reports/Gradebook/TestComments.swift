import Foundation
import Workbook

/// What an instructor says once to everyone who fails a test: `{"FirstValue": {"FirstValueTests/waits()": "…"}}`.
public struct TestComments: Sendable, Equatable {
    /// In the report's folder. Only the instructor makes it.
    public static let fileName = "comments.json"

    public enum Mistake: Error, Sendable, Equatable {
        case notJSON
        case unexpected(found: String, expected: String)
        case unknownKata(String, known: [String])
        case unknownTest(KataTest.ID, kata: String, known: [KataTest.ID])
    }

    /// By kata and test.
    public let texts: [String: [KataTest.ID: String]]

    /// - Parameter katas: those that may have a comment.
    public init(_ data: Data, katas: [Kata]) throws(Mistake) {
        guard let content = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
            throw .notJSON
        }
        func example(_ kata: Kata?) -> String {
            "\(Self.json(kata?.tests.first?.id ?? "…")): \"…\""
        }
        guard let entries = content as? [String: Any] else {
            let kata = katas.first
            throw .unexpected(
                found: Self.json(content), expected: "{\(Self.json(kata?.kata ?? "…")): {\(example(kata))}}")
        }
        var texts: [String: [KataTest.ID: String]] = [:]
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let kata = katas.first(where: { $0.kata == name }) else {
                throw .unknownKata(name, known: Self.nearestFirst(name, katas.map(\.kata)))
            }
            guard let comments = entry as? [String: Any] else {
                throw .unexpected(
                    found: "\(Self.json(name)): \(Self.json(entry))", expected: "\(Self.json(name)): {\(example(kata))}"
                )
            }
            for (id, comment) in comments.sorted(by: { $0.key < $1.key }) {
                let ids = kata.tests.map(\.id)
                guard ids.contains(id) else {
                    throw .unknownTest(id, kata: name, known: Self.nearestFirst(id, ids))
                }
                guard let text = comment as? String else {
                    throw .unexpected(
                        found: "\(Self.json(id)): \(Self.json(comment))", expected: "\(Self.json(id)): \"…\"")
                }
                // An empty text is a comment that is still to be written.
                let isEmpty = text.allSatisfy(\.isWhitespace)
                if !isEmpty { texts[name, default: [:]][id] = text }
            }
        }
        self.texts = texts
    }

    /// A value as it stands in the file, as far as a sentence has room for it.
    private static func json(_ value: Any) -> String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .withoutEscapingSlashes, .sortedKeys]
        let data = (try? JSONSerialization.data(withJSONObject: value, options: options)) ?? Data()
        let text = String(decoding: data, as: UTF8.self)
        return text.count > 80 ? text.prefix(79) + "…" : text
    }

    private static func nearestFirst(_ name: String, _ known: [String]) -> [String] {
        guard let nearest = NearestName(to: name, among: known).name else { return known }
        return [nearest] + known.filter { $0 != nearest }
    }
}

extension TestComments.Mistake {
    /// What is wrong, and what to write; `nil` where only the file's place says so.
    public func text(_ path: String, _ strings: ReportStrings) -> String? {
        switch self {
        case .notJSON: nil
        case .unexpected(let found, let expected):
            strings(.commentUnexpected, .text(path), .text(found), .text(expected))
        case .unknownKata(let name, let known): strings(.commentKata, .text(path), .text(name), .list(known))
        case .unknownTest(let id, let kata, let known):
            strings(.commentTest, .text(path), .text(id), .text(kata), .list(known))
        }
    }
}
