// swift-tools-version: 6.2
import PackageDescription

// Apple's platforms ship Combine; everywhere else it is built from Sources/Combine.
#if canImport(Combine)
let combineTargets: [Target] = []
let combine: [Target.Dependency] = []
#else
let combineTargets: [Target] = [
    .target(name: "Combine", exclude: ["README.md"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
        name: "combine-stress", dependencies: ["Combine"], path: "Sources/CombineStress",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    // Tests start it.
    .executableTarget(
        name: "combine-breakpoint", dependencies: ["Combine"], path: "Tests/Support/CombineBreakpoint",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
        name: "CombineTests", dependencies: ["Combine", "TestSupport", "combine-breakpoint"],
        swiftSettings: [.swiftLanguageMode(.v5)]),
]
let combine: [Target.Dependency] = ["Combine"]
#endif

// The fast engine reads ELF objects and calls lld. It is compiled on Linux only.
#if os(Linux)
let withoutFastEngine: [String] = []
// The harness is a program of its own, which the engine compiles for the compiler that is there. It is copied as a folder:
// Swift Build leaves out a Swift file that is a resource by itself.
let harness: [Resource] = [.copy("FastEngine/Harness")]
#else
let withoutFastEngine = ["FastEngine"]
let harness: [Resource] = []
#endif

/// One line per kata. A kata is three folders: the stub, the model answer, and the hidden suite, which says
/// `import <Kata>` and is compiled here against the model answer.
let katas: [String] = [
    "AsyncMap",
    "AsyncMerge",
    "AsyncSequencePublisher",
    "ColdFuture",
    "CombineAsyncPublisher",
    "DataAggregator",
    "Debouncer",
    "Doubled",
    "FirstValue",
    "FormViewModel",
    "LoadingScreen",
    "NotificationObserver",
    "OneByOneSink",
    "OneMore",
    "ProfileHeader",
    "ProfileViewModel",
    "ResumeOnce",
    "ScoreLoop",
    "SearchPipeline",
    "SearchService",
    "SearchViewModel",
    "TaskOperator",
    "Thumbnails",
    "UserRepository",
    "WebSocketManager",
]

/// The katas of a few lines: they have no approaches to compare.
let warmUps: Set<String> = [
    "ColdFuture",
    "Doubled",
    "LoadingScreen",
    "OneMore",
    "ProfileHeader",
    "ResumeOnce",
    "ScoreLoop",
    "Thumbnails",
]

let kataTargets: [Target] = katas.flatMap { kata -> [Target] in
    let languages = ["es", "id", "ko", "th", "zh"]
    return [
        .target(
            name: kata, dependencies: combine, path: "Exercises/\(kata)",
            exclude: ["Hints.xcstrings", "README.md", "kata.json"] + languages.map { "README.\($0).md" },
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "\(kata)Solution", dependencies: combine, path: "Solutions/\(kata)",
            exclude: ["Interview.md"] + languages.map { "Interview.\($0).md" }
                + (warmUps.contains(kata) ? [] : ["Approaches"]),
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // `swift test` must not stop at a stub that a learner has written in. SwiftPM builds no target that others need on
        // another platform only. Editors complete in it all the same, and `swift build --target` builds it.
        .testTarget(
            name: "\(kata)Tests",
            dependencies: [
                .target(name: "\(kata)Solution"), "KataSupport",
                .target(name: kata, condition: .when(platforms: [.wasi])),
            ],
            exclude: ["Mutants"],
            swiftSettings: [
                .swiftLanguageMode(.v5),
                .unsafeFlags(["-module-alias", "\(kata)=\(kata)Solution"]),
            ]),
    ]
}

// What needs the fast engine, or a terminal that a test types on, is there on Linux only.
#if os(Linux)
let supportOfGrader: [Target.Dependency] = ["Checked", "KataSupport"]
let linuxTargets: [Target] = [
    // Every submission is compiled with it. A mirror would show what its types keep to themselves.
    .target(
        name: "Checked", path: "Sources/Grading/Checked",
        swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
    // The engine compiles it for the compiler that is there; here it is checked.
    .executableTarget(
        name: "kata-harness", dependencies: ["Schedules", "Wire"], path: "Sources/Grading/FastEngine/Harness/Program"),
    // The harness has the same sources. Frames lead from Combine's code to where it waits.
    .target(
        name: "Schedules", path: "Sources/Grading/FastEngine/Harness/Schedules",
        cSettings: [.unsafeFlags(["-O2", "-fno-omit-frame-pointer"])]),
    // `.ci/combine-schedules` builds it: it needs flags for Combine too.
    .executableTarget(
        name: "combine-schedules", dependencies: combine + ["Schedules"], path: "Sources/CombineSchedules",
        swiftSettings: [.swiftLanguageMode(.v5)]),
    // Starts the real program at a terminal, types and reads: for tests and benchmarks.
    .target(name: "TerminalDriver", dependencies: ["Workbook"], path: "Tests/Support/TerminalDriver"),
    .testTarget(
        name: "GraderTests",
        dependencies: ["grader", "Reports", "Storage", "TerminalDriver", "TestSupport", "Workbook"]),
    .executableTarget(
        name: "benchmark",
        dependencies: combine + supportOfGrader + ["Grading", "Storage", "TerminalDriver", "Workbook"],
        path: "Sources/Benchmark"),
    // KataSupport and Combine are what the fixtures' suites are linked with.
    .testTarget(
        name: "GradingTests",
        dependencies: supportOfGrader + ["Grading", "Storage", "TestSupport", "Wire", "Workbook"],
        exclude: ["Checked", "Deliveries", "Fixtures", "Hostile", "Honest"]),
]
#else
let supportOfGrader: [Target.Dependency] = []
let linuxTargets: [Target] = []
#endif

let package = Package(
    name: "CombineKatas",
    defaultLocalization: "en",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "grader", targets: ["grader"])],
    targets: combineTargets + kataTargets + linuxTargets + [
        .target(name: "KataSupport", dependencies: combine, exclude: ["README.md"]),
        .target(name: "Workbook"),
        .target(name: "Storage", dependencies: ["Workbook"]),
        // What the engines, the harness and suites say to each other. The harness has the same sources.
        .target(name: "Wire", path: "Sources/Grading/Wire"),
        .target(
            name: "Grading", dependencies: ["Storage", "Wire", "Workbook"],
            exclude: ["Class/README.md", "README.md"] + withoutFastEngine,
            resources: [.copy("Checked"), .copy("PortableEngine/Package"), .copy("Wire")] + harness),
        .target(
            name: "Reports", dependencies: ["Storage", "Workbook"], exclude: ["README.md"],
            resources: [
                .copy("Reports.xcstrings"), .copy("Page/Page.xcstrings"), .copy("Page/Web"),
                .copy("Gradebook/Gradebook.xcstrings"), .copy("Interview/InterviewReport.xcstrings"),
                .copy("Interview/Scorecard.xcstrings"), .copy("OverTime/OverTime.xcstrings"),
            ]),
        // `swift run grader` also builds what the fast engine links suites and submissions with.
        .executableTarget(
            name: "grader", dependencies: supportOfGrader + ["Grading", "Reports", "Storage", "Workbook"],
            exclude: ["Interview/README.md", "LanguageServer/README.md"],
            resources: [
                .copy("Messages.xcstrings"), .copy("Watch/Watch.xcstrings"), .copy("Interview/Interview.xcstrings"),
                .copy("LanguageServer/LanguageServer.xcstrings"),
                .copy("Authoring/KataTemplate"), .copy("Authoring/HandoutTemplate"),
            ]),
        // What tests share: the built grader, a small workbook, and which programs this machine has.
        .target(name: "TestSupport", dependencies: ["Storage", "Workbook"], path: "Tests/Support/TestSupport"),
        .testTarget(name: "KataSupportTests", dependencies: ["KataSupport"]),
        .testTarget(name: "ReportsTests", dependencies: ["Reports", "TestSupport", "Workbook"]),
        .testTarget(name: "StorageTests", dependencies: ["Storage", "TestSupport", "Workbook"]),
        .testTarget(name: "WorkbookTests", dependencies: ["TestSupport", "Workbook"], exclude: ["Turns"]),
    ]
)
