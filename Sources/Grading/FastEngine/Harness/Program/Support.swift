// What KataSupport and the scheduler tell this program by themselves.
import Foundation
import Glibc

// The engine compiles these files together with `Wire`, as one module.
#if canImport(Wire)
import Wire
#endif

/// The library of KataSupport, once it is loaded.
struct Support {
    let library: UnsafeMutableRawPointer?

    func function<Function>(_ function: SupportFunction) -> Function? {
        guard let library, let symbol = dlsym(library, function.rawValue) else { return nil }
        return unsafeBitCast(symbol, to: Function.self)
    }

    func call(_ function: SupportFunction) {
        let call: (@convention(c) () -> Void)? = self.function(function)
        call?()
    }
}

/// The way events leave, for a function that can capture nothing.
nonisolated(unsafe) var deadlockEvents: Events?  // set before the suite starts

/// Has KataSupport report when no task of the suite can go on, so that a test that hangs costs no time limit.
func reportDeadlocks(_ support: Support, to events: Events) {
    typealias Register = @convention(c) (_ action: @convention(c) (_ isComputing: Bool) -> Void) -> Void
    guard let register: Register = support.function(.onDeadlock) else { return }
    deadlockEvents = events
    register({ isComputing in
        deadlockEvents?.markOutput()
        deadlockEvents?.send(isComputing ? .endless : .deadlock)
        _exit(0)
    })
}

/// Tells the order of steps in which explored code crashes: the process ends then.
func reportCrashes(_ support: Support, to events: Events) {
    typealias Schedule = @convention(c) () -> UnsafeMutablePointer<CChar>?
    guard let schedule: Schedule = support.function(.schedule) else { return }
    Thread.detachNewThread {
        schedules_awaitCrash()
        if let json = schedule() {
            events.send(RunEvent(.schedule, finding: String(cString: json)))
            free(json)
        }
        schedules_crashWasTold()
    }
}

@_silgen_name("schedules_awaitCrash") func schedules_awaitCrash()
@_silgen_name("schedules_crashWasTold") func schedules_crashWasTold()

/// Ends the program, with 0 where the scheduler works behind the walls of a run.
func checkSchedules() -> Never {
    guard let images = LoadedImages(), install(filter(keeping: images.readOnly)), wallIn() else { _exit(66) }
    _exit(schedules_works() ? 0 : 1)
}

@_silgen_name("schedules_works") func schedules_works() -> Bool

/// Takes the place of the runtime's own function, which keeps all that was reported and copies it for each report: thousands
/// of continuations that an answer drops in one test would take seconds.
@_cdecl("swift_reportError")
public func reportError(_ flags: UInt32, _ message: UnsafePointer<CChar>) {
    var (rest, count) = (message, strlen(message))
    while count > 0 {
        let written = write(2, rest, count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        (rest, count) = (rest + written, count - written)
    }
}
