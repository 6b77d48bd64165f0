import Foundation
import Workbook

/// What a report of a class says of each learner's points, and of the themes. The rest of its `gradebook.json` is not decoded:
/// a large class has hundreds of megabytes of findings.
public struct ClassReport: Sendable, Equatable {
    public struct Learner: Sendable, Equatable {
        public var name: String
        public var number: String?
        public var github: String?
        public var email: String?
        public var points: Int
        public var isHandedIn: Bool

        public init(
            _ name: String, number: String? = nil, github: String? = nil, email: String? = nil, points: Int,
            isHandedIn: Bool = true
        ) {
            self.name = name
            self.number = number
            self.github = github
            self.email = email
            self.points = points
            self.isHandedIn = isHandedIn
        }
    }

    /// How many tests of a theme ran and how many passed, in all katas that were handed in with a change.
    public struct ThemeTests: Codable, Sendable, Equatable {
        public var passed: Int
        public var tests: Int

        public init(passed: Int, tests: Int) {
            self.passed = passed
            self.tests = tests
        }

        var share: Double { tests == 0 ? 0 : Double(passed) / Double(tests) }

        static func + (left: Self, right: Self) -> Self {
            Self(passed: left.passed + right.passed, tests: left.tests + right.tests)
        }
    }

    /// Why a report cannot be read.
    public enum Problem: Error, Sendable, Equatable {
        case missing
        case otherSchema(Int)
        case damaged
    }

    public static let schema = 1

    /// How the report is called.
    public var name: String
    public var maxPoints: Int
    public var learners: [Learner]
    public var themes: [String: ThemeTests]
    /// The table of the numbers that stand for the names in this report; `nil` where it has names.
    public var numbers: LearnerNumbers?

    public init(
        _ name: String, maxPoints: Int, learners: [Learner], themes: [String: ThemeTests] = [:],
        numbers: LearnerNumbers? = nil
    ) {
        self.name = name
        self.maxPoints = maxPoints
        self.learners = learners
        self.themes = themes
        self.numbers = numbers
    }

    public static func file(in folder: URL) -> URL { folder.appendingPathComponent(GradebookJSON.fileName) }

    /// Reads the report in a folder. What is wrong with it is a `Problem`; any other error is one of reading the file.
    public init(_ name: String, in folder: URL) throws {
        let file = Self.file(in: folder)
        guard FileManager.default.fileExists(atPath: file.path) else { throw Problem.missing }
        // The grader replaces this file as a whole, so that what is mapped does not change.
        let data = try Data(contentsOf: file, options: .alwaysMapped)
        do {
            try self.init(name, data)
        } catch is DecodingError {
            throw Problem.damaged
        }
    }

    private init(_ name: String, _ data: Data) throws {
        let decoder = JSONDecoder()
        // One learner after another: what is known of all of them at once may be larger than the memory.
        let (places, rest) = GradebookJSON.learners(in: data) ?? ([], data)
        let contents = try decoder.decode(Contents.self, from: rest)
        self.init(name, maxPoints: contents.katas.reduce(0) { $0 + $1.maxPoints }, learners: [])
        var isNumbered = true
        func add(_ entry: Entry) {
            learners += entry.members
            isNumbered = isNumbered && entry.isNumbered
            for kata in entry.katas where kata.handedIn && kata.outcome != Verdict.Outcome.notStarted.rawValue {
                for theme in kata.themes ?? [] {
                    let tests = ThemeTests(passed: theme.passed, tests: theme.tests)
                    themes[theme.theme] = themes[theme.theme].map { $0 + tests } ?? tests
                }
            }
        }
        contents.learners.forEach(add)
        for place in places { add(try decoder.decode(Entry.self, from: data[place])) }
        if isNumbered, !learners.isEmpty { numbers = LearnerNumbers() }
    }

    /// Notes which table is next to the report.
    ///
    /// A class whose folders have the names of students' numbers may look as if it were without names. It has no such table,
    /// and numbers that stand for names begin with zeros.
    public mutating func setNumbers(_ table: LearnerNumbers) {
        let names = learners.map(\.name)
        numbers = table.has(names) || names.contains { $0.hasPrefix("0") } ? table : nil
    }

    // MARK: The file

    private struct Contents: Decodable {
        var katas: [Column]
        var learners: [Entry]

        enum Key: String, CodingKey { case schema, katas, learners }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let schema = try container.decode(Int.self, forKey: .schema)
            guard schema == ClassReport.schema else { throw Problem.otherSchema(schema) }
            katas = try container.decode([Column].self, forKey: .katas)
            learners = try container.decode([Entry].self, forKey: .learners)
        }
    }

    private struct Column: Decodable {
        var maxPoints: Int
    }

    private struct Entry: Decodable {
        struct Time: Decodable { var points: Int }
        struct GradedKata: Decodable {
            var outcome: String
            var points: Int
            var handedIn: Bool
            var themes: [Theme]?
        }
        struct Theme: Decodable {
            var theme: String
            var passed: Int
            var tests: Int
        }
        var learner: String
        var sources: [String]
        var number: String?
        var github: String?
        var email: String?
        var time: Time?
        var katas: [GradedKata]

        /// Whether this may be what `--anonymous` leaves of a learner.
        var isNumbered: Bool {
            LearnerNumbers.isLabel(learner) && sources.allSatisfy { $0 == learner }
                && number == nil && github == nil && email == nil
        }

        /// Each of those who handed in together, where the platform says who they are.
        var members: [Learner] {
            let points = time?.points ?? katas.reduce(0) { $0 + $1.points }
            // An instructor may give points to someone who handed in nothing.
            let isHandedIn = points > 0 || katas.contains(where: \.handedIn)
            func parts(_ list: String?) -> [String?] { list.map { $0.components(separatedBy: ", ") } ?? [] }
            let names = learner.components(separatedBy: ", ")
            let lists = [number, github, email].map(parts)
            let isGroup =
                names.count > 1 && lists.contains { !$0.isEmpty }
                && lists.allSatisfy { $0.isEmpty || $0.count == names.count }
            guard isGroup else {
                return [
                    Learner(
                        learner, number: number, github: github, email: email, points: points, isHandedIn: isHandedIn)
                ]
            }
            return names.indices.map { index in
                func part(_ list: [String?]) -> String? { list.isEmpty ? nil : list[index] }
                return Learner(
                    names[index], number: part(lists[0]), github: part(lists[1]), email: part(lists[2]),
                    points: points, isHandedIn: isHandedIn)
            }
        }
    }
}
