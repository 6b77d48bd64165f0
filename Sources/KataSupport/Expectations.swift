/// A program that reports tests could keep failures back, and tests that pass would not show it.
///
/// Counts the expectations of the test that runs. The program around the suite can have one of them turned round: then it fails
/// although it holds, and a run in which it does not fail has kept failures back.
enum Expectations {
    private struct State {
        var count = 0
        var isCounting = true
        /// How many orders of steps were tried.
        var orders = 0
        /// Which one is turned round, from 1.
        var turned = 0
    }
    private static let state = Locked(State())

    static var count: Int { state.withLock { $0.count } }

    static var orders: Int { state.withLock { $0.orders } }
    static func add(orders: Int) { state.withLock { $0.orders += orders } }

    static func beginTest(turned: Int) { state.withLock { $0 = State(turned: turned) } }

    /// From here on, expectations are counted again or no more: of the tries of an exploration, those of the first one are.
    static func count(again isCounting: Bool) { state.withLock { $0.isCounting = isCounting } }

    /// Forgets what was counted since there were so many.
    static func rewind(to count: Int) {
        state.withLock {
            $0.count = count
            $0.isCounting = true
        }
    }

    /// Throws what an expectation has found; nothing if it holds.
    ///
    /// - Parameter nothing: What it would find if nothing had come. That is thrown by one that holds and is turned round.
    static func conclude(_ mismatch: Mismatch?, nothing: @autoclosure () -> Mismatch) throws {
        let isTurned = state.withLock { state in
            guard state.isCounting else { return false }
            state.count += 1
            return state.count == state.turned
        }
        if let failure = mismatch ?? (isTurned ? nothing() : nil) { throw failure }
    }

    static func conclude(_ mismatch: Mismatch?, expected: @autoclosure () -> String) throws {
        try conclude(mismatch, nothing: Mismatch(expected: expected(), actual: "–", kind: .nothing))
    }
}

/// For the program that runs a suite: a test begins, and this expectation of it is turned round, from 1; none if 0.
@_cdecl("kataSupportBeginTest")
func beginTest(_ turned: Int) { Expectations.beginTest(turned: turned) }

/// For the program that runs a suite: how many expectations the test has looked at.
@_cdecl("kataSupportExpectations")
func expectationCount() -> Int { Expectations.count }

/// For the program that runs a suite: how many orders of steps the test has tried.
@_cdecl("kataSupportOrders")
func orderCount() -> Int { Expectations.orders }
