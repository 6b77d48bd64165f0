import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs each body on a thread of its own, all from the same moment, and returns when the last is done.
///
/// These are the platform's own threads, because ThreadSanitizer has to see when they begin and end.
func together(_ bodies: (() -> Void)...) {
    final class Start {
        let body: () -> Void
        let gate: Gate

        init(_ body: @escaping () -> Void, _ gate: Gate) {
            self.body = body
            self.gate = gate
        }
    }
    final class Gate {
        let waiting: Atomic<Int>

        init(_ count: Int) { waiting = Atomic(count) }

        func pass() {
            waiting.subtract(1, ordering: .acquiringAndReleasing)
            while waiting.load(ordering: .acquiring) > 0 { sched_yield() }
        }
    }
    let gate = Gate(bodies.count)
    let threads = bodies.map { body in
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Start(body, gate)).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                start.gate.pass()
                start.body()
                return nil
            }, context)
        precondition(result == 0, "A thread could not be made: error \(result).")
        return thread
    }
    for thread in threads {
        pthread_join(thread, nil)
    }
}
