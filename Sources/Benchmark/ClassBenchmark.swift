import Foundation
import Storage
import Workbook

/// How fast a class is graded, as ratios of what one run has measured on one machine.
///
/// Every learner hands in every kata, and no two files are the same. Run it on a machine that does nothing else.
struct ClassBenchmark: Benchmark {
    static let name = "class"
    static let options =
        "[--learners 200] [--one-job-learners 50] [--many 2000] [--samples 2] [--only jobs,memory,package,together]"

    enum Part: String, CaseIterable {
        /// Two submissions at once against one.
        case jobs
        /// A class ten times as large.
        case memory
        /// `swift test` in a package for a submission: cold, and warm where only the submission's file is replaced.
        case package
        /// `swift test` in one package for all of a learner's submissions, which are replaced together.
        case together
    }

    func run(_ setting: BenchmarkSetting) async throws {
        let parts = setting.value("--only")?.split(separator: ",").compactMap { Part(rawValue: String($0)) }
        try ClassMeasurement(setting: setting, katas: setting.package.katas()).run(
            parts ?? Part.allCases, learners: setting.number("--learners", 200),
            oneJobLearners: setting.number("--one-job-learners", 50), many: setting.number("--many", 2000),
            samples: setting.number("--samples", 2))
    }
}

private struct ClassMeasurement {
    let setting: BenchmarkSetting
    let katas: [Kata]
    /// Makes this run's files differ from those of any other, which the grader would remember.
    let mark = UUID().uuidString

    private var workbook: WorkbookFolder { setting.package }
    private var scratch: URL { setting.scratch }

    func run(_ parts: [ClassBenchmark.Part], learners: Int, oneJobLearners: Int, many: Int, samples: Int) throws {
        say("Preparing: every suite is compiled once.")
        try write(learners: 1, to: "first")
        _ = try grade("first", jobs: 1)

        say("\(learners) learners, \(katas.count) katas, two jobs.")
        try write(learners: learners, to: "two")
        let two = try grade("two", jobs: 2)
        let rate = Double(learners * katas.count) / two.seconds * 60
        tell("submissions a minute, two jobs", rate)

        if parts.contains(.jobs) {
            say("\(oneJobLearners) learners, one job.")
            try write(learners: oneJobLearners, to: "one")
            let one = try grade("one", jobs: 1)
            let oneRate = Double(oneJobLearners * katas.count) / one.seconds * 60
            tell("submissions a minute, one job", oneRate)
            promise("two jobs against one", rate / oneRate, atLeast: 1.8)
        }
        if parts.contains(.memory) {
            // What they handed in is decided already: what is left is what the grader itself needs for a large class.
            say("\(many) learners, who handed in what those \(learners) did.")
            try write(copies: many, of: "two", to: "large")
            let large = try grade("large", jobs: 2)
            tell("MB of the grader, \(learners) learners", two.megabytes)
            tell("MB of the grader, \(many) learners", large.megabytes)
            promise(
                "memory of a class \(many / learners) times as large", large.megabytes / two.megabytes, atMost: 1.25)
            promise("MB of the grader", max(two.megabytes, large.megabytes), atMost: 200)
        }
        // For `swift test`, Combine and KataSupport are built before and not counted.
        if parts.contains(.package) {
            let chosen = katas.prefix(samples)
            say("swift test in a package for a submission: \(chosen.map(\.kata).joined(separator: ", ")).")
            var cold = 0.0
            var warm = 0.0
            for kata in chosen {
                let place = try package([kata], name: kata.kata)
                cold += try seconds { try swiftTest(place) } / Double(chosen.count)
                try replace([kata], in: place, mark: "1")
                warm += try seconds { try swiftTest(place) } / Double(chosen.count)
            }
            tell("submissions a minute, swift test, cold", 60 / cold)
            promise("grader against a cold swift test", rate / (60 / cold), atLeast: 20)
            tell("submissions a minute, swift test, warm", 60 / warm)
            promise("grader against a warm swift test", rate / (60 / warm), atLeast: 4)
        }
        if parts.contains(.together) {
            say("swift test in one package for \(katas.count) katas, replaced together \(samples) times.")
            let place = try package(katas, name: "together")
            try swiftTest(place)
            var warm = 0.0
            for sample in 0..<samples {
                try replace(katas, in: place, mark: "\(sample)")
                warm += try seconds { try swiftTest(place) } / Double(samples)
            }
            let warmRate = Double(katas.count) / warm * 60
            tell("submissions a minute, swift test, warm, all at once", warmRate)
            tell("grader against that", rate / warmRate)
        }
    }

    // MARK: - The class

    private func answer(_ kata: Kata) throws -> String {
        try String(
            contentsOf: workbook.modelAnswer(kata.kata), encoding: .utf8)
    }

    /// Learners whose files all differ.
    private func write(learners: Int, to folder: String) throws {
        for number in 0..<learners {
            let place = scratch.appendingPathComponent("\(folder)/learner \(number)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for kata in katas {
                try Data("\(try answer(kata))\n// \(mark) \(folder) \(number)\n".utf8)
                    .write(to: place.appendingPathComponent("\(kata.kata).swift"))
            }
        }
    }

    /// Learners who handed in what others did, so that the class is large and its grading is not.
    private func write(copies count: Int, of folder: String, to copy: String) throws {
        let originals = try FileManager.default.contentsOfDirectory(atPath: scratch.appendingPathComponent(folder).path)
            .sorted()
        let place = scratch.appendingPathComponent(copy)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for number in 0..<count {
            try FileManager.default.copyItem(
                at: scratch.appendingPathComponent("\(folder)/\(originals[number % originals.count])"),
                to: place.appendingPathComponent("copy \(number)"))
        }
    }

    private func grade(_ folder: String, jobs: Int) throws -> (seconds: Double, megabytes: Double) {
        var peak = 0
        let taken = try seconds {
            // The kernel keeps the peak; it has to be read while the process lives.
            try setting.run(
                try setting.grader,
                [
                    "grade", scratch.appendingPathComponent(folder).path, "--report",
                    scratch.appendingPathComponent("\(folder) report").path, "--jobs", "\(jobs)", "--workbook",
                    workbook.url.path, "--seed", "1",
                ]
            ) { peak = max(peak, ProcessFigures($0)?.peakKilobytes ?? 0) }
        }
        return (taken, Double(peak) / 1024)
    }

    // MARK: - The usual way

    /// A package of katas and their suites, linked with the Combine and the KataSupport that this package has built.
    private func package(_ katas: [Kata], name: String) throws -> URL {
        let place = scratch.appendingPathComponent(name)
        for folder in ["Sources", "Tests"] {
            try FileManager.default.createDirectory(
                at: place.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        var objects: [String] = []
        for module in ["Combine", "KataSupport"] {
            let folder = setting.products.appendingPathComponent("\(module).build")
            guard let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
                continue
            }
            objects += all.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".o") }
        }
        let settings = "swiftSettings: [.swiftLanguageMode(.v5)]"
        let linking = "linkerSettings: [.unsafeFlags([\(objects.map { "\"\($0)\"" }.joined(separator: ", "))])]"
        var targets: [String] = []
        func copy(_ path: String, to new: String) throws {
            try FileManager.default.copyItem(
                at: workbook.url.appendingPathComponent(path), to: place.appendingPathComponent(new))
        }
        for kata in katas.map(\.kata) {
            try copy("Solutions/\(kata)", to: "Sources/\(kata)")
            try copy("Tests/\(kata)Tests", to: "Tests/\(kata)Tests")
            // A package has one test program, which is linked once.
            let link = kata == katas[0].kata ? ", " + linking : ""
            targets += [
                ".target(name: \"\(kata)\", \(settings))",
                ".testTarget(name: \"\(kata)Tests\", dependencies: [\"\(kata)\"], exclude: [\"Mutants\"], "
                    + "\(settings)\(link))",
            ]
        }
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(name: "Learner", platforms: [.macOS(.v15)], targets: [
                \(targets.joined(separator: ",\n    "))
            ])
            """
        try Data(manifest.utf8).write(to: place.appendingPathComponent("Package.swift"))
        return place
    }

    private func replace(_ katas: some Sequence<Kata>, in package: URL, mark: String) throws {
        for kata in katas {
            try Data("\(try answer(kata))\n// another learner: \(mark)\n".utf8)
                .write(to: package.appendingPathComponent("Sources/\(kata.kata)/\(kata.kata).swift"))
        }
    }

    private func swiftTest(_ package: URL) throws {
        try setting.run([
            "swift", "test", "--package-path", package.path, "-Xswiftc", "-I", "-Xswiftc",
            "\(setting.products.path)/Modules",
        ])
    }

    private func tell(_ what: String, _ value: Double) { say("\(what): \(rounded(value))") }
}
