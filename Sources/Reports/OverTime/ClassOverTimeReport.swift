import Workbook

/// The object that `progress --json` prints.
public struct ClassOverTimeReport: Encodable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var reports: [Report]
    public var learners: [Learner]
    public var themes: [ThemeReport]

    public struct Report: Encodable, Sendable, Equatable {
        public var report: String
        public var maxPoints: Int
        public var learners: Int
        public var handedIn: Int
        @OrNull public var average: Double?
    }

    public struct Learner: Encodable, Sendable, Equatable {
        public var learner: String
        @OrNull public var number: String?
        @OrNull public var github: String?
        @OrNull public var email: String?
        public var fellBehind: Bool
        public var points: Int
        public var maxPoints: Int
        public var results: [Result?]
    }

    public struct Result: Encodable, Sendable, Equatable {
        public var handedIn: Bool
        public var points: Int
        public var share: Double
    }

    public struct ThemeReport: Encodable, Sendable, Equatable {
        public var theme: String
        public var title: String
        public var passed: Int
        public var tests: Int
        public var results: [ClassReport.ThemeTests?]
    }

    public init(_ overTime: ClassOverTime, localization: OverTimeLocalization) {
        language = localization.language
        reports = overTime.reports.map { report in
            Report(
                report: report.name, maxPoints: report.maxPoints, learners: report.learners,
                handedIn: report.handedIn, average: report.average.map(Self.rounded))
        }
        learners = overTime.learners.map { learner in
            Learner(
                learner: learner.name, number: learner.number, github: learner.github, email: learner.email,
                fellBehind: learner.hasFallenBehind, points: learner.points, maxPoints: overTime.maxPoints,
                results: learner.results.map { result in
                    result.map {
                        Result(handedIn: $0.isHandedIn, points: $0.points, share: Self.rounded($0.share))
                    }
                })
        }
        themes = overTime.themes.map { theme in
            ThemeReport(
                theme: theme.theme, title: localization.title(ofTheme: theme.theme), passed: theme.sum.passed,
                tests: theme.sum.tests, results: theme.results)
        }
    }

    private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}

extension ClassOverTimeReport {
    /// `progress.csv`: a line a learner, for a spreadsheet.
    public func csv(_ localization: OverTimeLocalization) -> String {
        let (gradebook, overTime) = (localization.gradebook, localization.overTime)
        let columns = reports.flatMap { report in
            ["\(report.report): \(localization.strings(.labelPoints))", "\(report.report): \(overTime(.share))"]
        }
        let head =
            [gradebook(.learner), overTime(.fellBehind)] + columns + [gradebook(.total), gradebook(.maxPoints)]
            + [gradebook(.number), "GitHub", gradebook(.email)]
        let lines = learners.map { learner in
            let cells = learner.results.flatMap { result -> [String] in
                guard let result else { return ["", ""] }
                guard result.handedIn else { return ["0", gradebook(.notHandedIn)] }
                return ["\(result.points)", "\(Int((result.share * 100).rounded()))"]
            }
            return [learner.learner, learner.fellBehind ? overTime(.fellBehind) : ""] + cells
                + ["\(learner.points)", "\(learner.maxPoints)"]
                + [learner.number ?? "", learner.github ?? "", learner.email ?? ""]
        }
        // The mark by which spreadsheets know UTF-8.
        return "\u{FEFF}" + ([head] + lines).map { $0.map(PlainText.csv).joined(separator: ",") + "\r\n" }.joined()
    }
}
