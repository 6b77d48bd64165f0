import Foundation

/// What a value costs in each chain of operators, in nanoseconds of processor time.
struct CombineBenchmark: Benchmark {
    static let name = "combine"
    static let options = "(with swift run -c release)"

    @MainActor func run(_ setting: BenchmarkSetting) async throws {
        #if DEBUG
        say("This is a debug build, which measures the debug build: swift run -c release benchmark combine")
        #endif
        for chain in chains {
            let name = chain.name.padding(toLength: 34, withPad: " ", startingAt: 0)
            say(name + String(format: "%6.0f ns a value", chain.nanoseconds(runs: 9)))
        }
    }
}
