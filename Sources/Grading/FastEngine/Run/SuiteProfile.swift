import Foundation
import Workbook

/// What a suite does when the model answer is what is tested: found once for a suite.
struct SuiteProfile: Codable, Equatable {
    /// The tests that look at an expectation.
    var able: Set<String> = []
    /// How many orders of steps each test tries that explores.
    var orders: [String: Int] = [:]
    /// Whether the run has come to its end. It may have been cut short by a busy machine, and is tried again then.
    private(set) var isComplete = false

    init() {}

    init(_ report: RunReport) {
        let ended = report.tests.filter { $0.value.ended }
        able = Set(ended.filter { $0.value.expectations > 0 }.keys)
        orders = ended.mapValues(\.orders).filter { $0.value > 0 }
        isComplete = report.isComplete
    }

    /// A second process is worth its start only for more orders than these.
    private static let fewOrders = 600

    /// The tests in one share or two that take about the same time: nearly all of it is explored orders. Tests that explore
    /// none stay together.
    func shares(of kata: Kata) -> [[String]] {
        let tests = kata.tests.map(\.id)
        let all = tests.reduce(0) { $0 + (orders[$1] ?? 0) }
        guard all > Self.fewOrders else { return [tests] }
        var (second, sum) = (Set<String>(), 0)
        for test in tests.reversed() {
            guard let count = orders[test], sum + count <= all / 2 else { continue }
            second.insert(test)
            sum += count
        }
        return [tests.filter { !second.contains($0) }, tests.filter(second.contains)]
    }
}

extension SuiteProfile {
    /// Links the suite with the model answer, and runs it once.
    static func make(
        _ kata: Kata, _ materials: GradingMaterials, _ context: GradingContext
    ) async throws(GradingError) -> SuiteProfile {
        let suite = materials.suite
        let key = CacheKey([
            "suite": suite.key.hex, "link": materials.linkTools.key.hex, "harness": materials.harness.key.hex,
        ])
        if let data = context.cache.read("profile", key),
            let known = try? JSONDecoder().decode(SuiteProfile.self, from: data)
        {
            return known
        }
        context.trace(.runAnswer, kata)
        let folder = try context.cache.newFolder("grading")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await runBlocking { cancellation throws(GradingError) in
            let controls = ControlTests()
            let image = KataImage(
                context: context, linkTools: materials.linkTools, folder: folder, cancellation: cancellation)
            let bytes = [UInt8]((try? Data(contentsOf: suite.answer)) ?? Data())
            let linked = try image.link(
                suite.object, controls, bytes, try ObjectFile(compiled: suite.answer), as: "answer.so")
            let run = HarnessRun(context, materials, kata, image: linked, cancellation)
            let report: RunReport
            do throws(GradingStop) {
                report = try run.run(
                    kata.tests.map(\.id), controls, .full, until: .now + .seconds(context.options.limits.suiteSeconds))
            } catch .trouble(let error) {
                throw error
            } catch {
                return SuiteProfile()
            }
            let profile = SuiteProfile(report)
            if profile.isComplete, let data = try? JSONEncoder().encode(profile) {
                context.cache.write(data, "profile", key)
            }
            return profile
        }
    }
}
