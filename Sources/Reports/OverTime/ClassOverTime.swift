import Workbook

/// Several reports of a class in the order in which they were given, as one view: who fell behind, and in which themes the
/// class is weak.
public struct ClassOverTime: Sendable, Equatable {
    public struct Report: Sendable, Equatable {
        public var name: String
        public var maxPoints: Int
        public var learners: Int
        public var handedIn: Int
        /// The mean share of those who handed in; `nil` where nobody did.
        public var average: Double?
    }

    public struct Result: Sendable, Equatable {
        public var points: Int
        public var isHandedIn: Bool
        /// Of the report's maximum: 0 to 1.
        public var share: Double
    }

    public struct Learner: Sendable, Equatable {
        /// As the last report names them.
        public var name: String
        public var number: String?
        public var github: String?
        public var email: String?
        /// One for each report; `nil` where the learner is not in it.
        public var results: [Result?]

        public var points: Int { results.reduce(0) { $0 + ($1?.points ?? 0) } }
        public var hasFallenBehind: Bool { ClassOverTime.hasFallenBehind(results) }
    }

    public struct ThemeResult: Sendable, Equatable {
        public var theme: String
        /// One for each report; `nil` where it has no test of the theme.
        public var results: [ClassReport.ThemeTests?]

        public var sum: ClassReport.ThemeTests {
            results.compactMap(\.self).reduce(ClassReport.ThemeTests(passed: 0, tests: 0), +)
        }
    }

    /// Why reports cannot be put together. They are named.
    public enum Mistake: Error, Sendable, Equatable {
        /// The first one has numbers in place of names, the second one has names.
        case numbersAndNames(String, String)
        /// A number need not stand for the same learner in both.
        case otherNumbers(String, String)
    }

    public var reports: [Report]
    /// Those who fell behind come first, then by name.
    public var learners: [Learner]
    /// The weakest comes first.
    public var themes: [ThemeResult]

    public var maxPoints: Int { reports.reduce(0) { $0 + $1.maxPoints } }

    public init(_ reports: [ClassReport]) throws(Mistake) {
        try Self.check(reports)
        var matching = LearnerMatching()
        var learners: [Learner] = []
        for (place, report) in reports.enumerated() {
            let persons = matching.persons(of: report.learners)
            let empty = Learner(name: "", results: .init(repeating: nil, count: reports.count))
            learners += .init(repeating: empty, count: matching.count - learners.count)
            for (person, entry) in zip(persons, report.learners) {
                learners[person].note(entry, share: Self.share(entry.points, of: report.maxPoints), at: place)
            }
        }
        self.reports = reports.enumerated().map { place, report in
            let shares = learners.compactMap { $0.results[place] }.filter(\.isHandedIn).map(\.share)
            return Report(
                name: report.name, maxPoints: report.maxPoints, learners: report.learners.count,
                handedIn: shares.count, average: Self.average(shares))
        }
        self.learners = learners.sorted { first, second in
            first.hasFallenBehind == second.hasFallenBehind
                ? first.sortingKey < second.sortingKey : first.hasFallenBehind
        }
        themes = Set(reports.flatMap(\.themes.keys)).map { theme in
            ThemeResult(theme: theme, results: reports.map { $0.themes[theme].flatMap { $0.tests > 0 ? $0 : nil } })
        }.filter { $0.sum.tests > 0 }.sorted { ($0.sum.share, $0.theme) < ($1.sum.share, $1.theme) }
    }

    /// Numbers that stand for names mean something only together with one table of both.
    private static func check(_ reports: [ClassReport]) throws(Mistake) {
        guard reports.count > 1, let numbered = reports.first(where: { $0.numbers != nil }) else { return }
        if let named = reports.first(where: { $0.numbers == nil }) {
            throw .numbersAndNames(numbered.name, named.name)
        }
        for (index, report) in reports.enumerated() {
            for other in reports[..<index] {
                let tables = [report, other].compactMap { one in
                    one.numbers.flatMap { $0.has(one.learners.map(\.name)) ? $0 : nil }
                }
                guard tables.count == 2, tables[0].agrees(with: tables[1]) else {
                    throw .otherNumbers(other.name, report.name)
                }
            }
        }
    }

    /// Whether the last report is at least 20 percentage points below the average of the earlier ones that were handed in, or
    /// was not handed in where an earlier one was.
    static func hasFallenBehind(_ results: [Result?]) -> Bool {
        guard let earlier = average(results.dropLast().compactMap(\.self).filter(\.isHandedIn).map(\.share)) else {
            return false
        }
        guard let last = results.last ?? nil, last.isHandedIn else { return true }
        // Binary fractions are not exact: 90% and 70% are 20 percentage points apart.
        return earlier - last.share > 0.2 - 1e-9
    }

    private static func share(_ points: Int, of most: Int) -> Double { most == 0 ? 0 : Double(points) / Double(most) }

    private static func average(_ shares: [Double]) -> Double? {
        shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
    }
}

extension ClassOverTime.Learner {
    fileprivate mutating func note(_ entry: ClassReport.Learner, share: Double, at place: Int) {
        name = entry.name
        number = entry.number ?? number
        github = entry.github ?? github
        email = entry.email ?? email
        results[place] = ClassOverTime.Result(points: entry.points, isHandedIn: entry.isHandedIn, share: share)
    }

    fileprivate var sortingKey: [String] { [LearnerName.key(name), name, number ?? "", github ?? "", email ?? ""] }
}

extension [String] {
    fileprivate static func < (left: Self, right: Self) -> Bool { left.lexicographicallyPrecedes(right) }
}
