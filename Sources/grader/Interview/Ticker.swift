import Dispatch

/// Tells that time goes by, until it is let go.
final class Ticker {
    private let timer: any DispatchSourceTimer

    init(every seconds: Double, _ tick: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: .milliseconds(50))
        timer.setEventHandler(handler: DispatchWorkItem(block: tick))
        timer.activate()
    }

    deinit { timer.cancel() }
}
