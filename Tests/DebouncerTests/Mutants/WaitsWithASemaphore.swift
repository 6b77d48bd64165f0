// mutant: a call blocks the thread of the actor while an operation is running
// fails: DebouncerTests/aCallDuringARunReturnsImmediately()
// fails: DebouncerTests/aCallDuringARunHasItsOwnQuietPeriod()
// hint: DebouncerTests/aCallDuringARunReturnsImmediately() returnsDuring
import Dispatch

public actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private let turn = DispatchSemaphore(value: 1)
    private var sleeping: Task<Void, Never>?

    public init(duration: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    public func debounce(_ operation: @escaping @Sendable () async -> Void) {
        turn.wait()
        turn.signal()
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration, turn] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true {
                await operation()
                turn.signal()
            }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        turn.wait()
        return true
    }
}
