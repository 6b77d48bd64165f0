import Dispatch

/// An answer that comes while the main actor has other things to do is handled later than it came, and much may have changed
/// until then.
///
/// Runs the body while something else holds the main actor. What wants to go on there waits, in the order in which it came,
/// until the body has returned; then all of it is run.
///
///     await KataSupport.whileMainActorIsBusy {
///         await clock.advance(by: .milliseconds(300))
///         search.end(with: .success(["late"]))
///     }
@concurrent
public func whileMainActorIsBusy(_ body: @Sendable () async -> Void) async {
    let isHeld = Gate()
    let end = DispatchSemaphore(value: 0)
    let holder = Task { @MainActor in
        isHeld.open()
        end.wait()
    }
    await isHeld.passEvenIfCancelled()
    await body()
    await settle()
    end.signal()
    await holder.value
    await settle()
}
