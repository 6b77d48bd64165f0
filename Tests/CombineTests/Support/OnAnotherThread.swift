import Foundation

/// Runs code on another thread, and waits until that is done.
func onAnotherThread(_ run: @escaping () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        run()
        done.signal()
    }
    done.wait()
}
