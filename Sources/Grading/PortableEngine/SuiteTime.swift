/// When a suite's time is used up in one run by SwiftPM.
///
/// What passes before the first test process speaks is SwiftPM's time, and what a process waits for a processor is the
/// machine's: neither is the suite's.
struct SuiteTime: Equatable {
    /// When SwiftPM was started.
    let start: ContinuousClock.Instant
    /// When the time was to be used up, had the tests run from the start on.
    let end: ContinuousClock.Instant
    /// When the first test process spoke.
    private var began: ContinuousClock.Instant?
    private var heldUp = Duration.zero
    private var heldUpBefore = Duration.zero

    init(start: ContinuousClock.Instant, end: ContinuousClock.Instant) {
        self.start = start
        self.end = end
    }

    /// - Parameter heldUp: for how long SwiftPM and its processes had no processor so far.
    mutating func note(began: ContinuousClock.Instant?, heldUp: Duration) {
        self.began = began
        self.heldUp = heldUp
        if began == nil { heldUpBefore = heldUp }
    }

    /// How much later the end is than it was to be; `nil` as long as no test process has spoken.
    var delay: Duration? { began.map { start.duration(to: $0) + (heldUp - heldUpBefore) } }
}
