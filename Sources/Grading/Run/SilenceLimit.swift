/// When a run is given up that says nothing. The time in which it had no processor does not count.
struct SilenceLimit {
    private var lastEvent: ContinuousClock.Instant?
    /// For how long the run had been held up when it last said something.
    private var heldUpBefore = Duration.zero

    /// When it is over, unless the run says something before.
    mutating func end(
        after lastEvent: ContinuousClock.Instant, seconds: Double, heldUp: Duration
    ) -> ContinuousClock.Instant {
        if self.lastEvent != lastEvent { (self.lastEvent, heldUpBefore) = (lastEvent, heldUp) }
        return lastEvent + .seconds(seconds) + (heldUp - heldUpBefore)
    }
}
