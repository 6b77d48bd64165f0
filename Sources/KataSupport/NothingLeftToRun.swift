/// Code that sleeps and looks again whether there is something to do has nothing to do in a test, and uses the processor and the
/// battery all the same.
///
/// Returns when nothing is left to run, and nothing wakes for some time. Throws `DeadlineExceeded` where code goes on.
///
///     publisher.subscribe(subscriber)  // asks for one value and gets it
///     try await KataSupport.expectNothingLeftToRun()
public func expectNothingLeftToRun() async throws {
    do {
        try await Observed(false).until(isInVain: true) { $0 }
    } catch let error as DeadlineExceeded where error.end == .nothingLeftToRun {}
}
