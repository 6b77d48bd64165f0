import Foundation
import Synchronization

/// A suite is one image, and the scheduler that can stop an answer between two accesses belongs to the program around it.
///
/// The functions of that scheduler (see `Schedules.h`); none where the program has no scheduler, or one that does not work here.
final class Schedules: Sendable {
    typealias Context = UnsafeMutableRawPointer?
    typealias Call = @convention(c) (Context) -> Void
    typealias IsWoken = @convention(c) (Context) -> Bool
    typealias IsAsleep = @convention(c) () -> Bool

    /// How an exploration has ended.
    enum Result: Int32 {
        case passed, failed, dataRace, stuck, endless
        /// Something outside of the scheduler had a part in it.
        case undecided
    }

    let explore: @convention(c) (Call, IsWoken, IsAsleep, Context, UInt64, UInt32, Double, UInt32) -> Int32 =
        function("explore")
    let replay: @convention(c) (Call, IsWoken, IsAsleep, Context, UnsafePointer<CChar>) -> Int32 = function("replay")
    let isExploring: @convention(c) () -> Bool = function("isExploring")
    let isManaged: @convention(c) () -> Bool = function("isManaged")
    let start: @convention(c) (Call, Context) -> Void = function("start")
    let startLater: @convention(c) (Call, Context, _ nanoseconds: UInt64) -> Void = function("startLater")
    let whenQuiet: @convention(c) (Call, Context) -> Void = function("whenQuiet")
    let interrupt: @convention(c) (Bool) -> Void = function("interrupt")
    let keepTurn: @convention(c) (Bool) -> Void = function("keepTurn")
    let pause: @convention(c) () -> Void = function("pause")
    let end: @convention(c) (_ hasFailed: Bool) -> Void = function("end")
    let tries: @convention(c) () -> UInt32 = function("tries")
    private let text: @convention(c) (UnsafeMutablePointer<CChar>, UInt32) -> Void = function("text")
    private let hasRace: @convention(c) () -> Bool = function("hasRace")
    private let access: Tell = function("access")
    private let steps: @convention(c) () -> UInt32 = function("steps")
    private let step: Tell = function("step")
    private let waiters: @convention(c) () -> UInt32 = function("waiters")
    private let waiter: Tell = function("waiter")
    private typealias Tell = @convention(c) (UInt32, UnsafeMutablePointer<UInt64>) -> Void

    static let shared: Schedules? = {
        guard dlsym(program, "schedules_works") != nil else { return nil }
        let works: @convention(c) () -> Bool = function("works")
        return works() ? Schedules() : nil
    }()

    /// The scheduler while it explores. It is not even looked for before the first exploration.
    static var current: Schedules? {
        guard hasExplored.load(ordering: .acquiring), let shared, shared.isExploring() else { return nil }
        return shared
    }
    static let hasExplored = Atomic(false)

    /// The scheduler, where this thread is one of its threads.
    static var ofThisThread: Schedules? { current.flatMap { $0.isManaged() ? $0 : nil } }

    /// In how many nanoseconds a thread of the process wakes by itself; `nil` where the program around the suite does not note it.
    static var nextWake: UInt64? { wake.map { $0() } }
    private static let wake: (@convention(c) () -> UInt64)? =
        dlsym(program, "schedules_nextWake") == nil ? nil : function("nextWake")

    private nonisolated(unsafe) static let program = dlopen(nil, RTLD_LAZY)  // is only handed on

    private static func function<Function>(_ name: String) -> Function {
        guard let address = dlsym(program, "schedules_\(name)") else {
            fatalError("The program around the suite has a scheduler without schedules_\(name).")
        }
        return unsafeBitCast(address, to: Function.self)
    }

    // MARK: - What was found

    /// The order that was run last.
    var last: Finding.Schedule {
        var text = [CChar](repeating: 0, count: 200)
        self.text(&text, UInt32(text.count))
        let steps = steps()
        let most = 400
        var told = (steps - min(steps, UInt32(most))..<steps).map { index in
            let (thread, kind, at) = event(index, step)
            return Finding.Step(thread: thread, at: at, does: Self.deeds[kind])
        }
        if !told.isEmpty { told[told.count - 1].mistake = true }
        let race =
            hasRace() ? [0, 1].map { event($0, access) }.map { Finding.Access(at: $0.2, does: Self.deeds[$0.1]) } : nil
        let waits = (0..<waiters()).map { event($0, waiter) }
            .map { Finding.Wait(thread: $0.0, at: $0.2, on: Self.causes[$0.1]) }
        return Finding.Schedule(
            text: text.withUnsafeBufferPointer {
                String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            },
            race: race, steps: told, waits: waits.isEmpty ? nil : waits)
    }

    private func event(_ index: UInt32, _ tell: Tell) -> (thread: Int, kind: Int, at: [Int]) {
        var words = [UInt64](repeating: 0, count: 6)
        tell(index, &words)
        return (Int(words[0]), Int(words[1]), words[2...].filter { $0 != 0 }.map { Int($0) })
    }

    private static let deeds: [Finding.Deed] = [
        .reads, .writes, .changes, .locks, .unlocks, .waits, .resumes, .starts, .calls, .ends,
    ]
    private static let causes: [Finding.Wait.Cause] = [.lock, .condition, .semaphore, .queue, .thread, .sleep, .other]
}

/// For the program that runs a suite: the order that was run last, as the JSON of a finding's, which the caller frees.
@_cdecl("kataSupportSchedule")
func lastSchedule() -> UnsafeMutablePointer<CChar>? {
    guard let schedule = Schedules.shared?.last, let data = try? JSONEncoder().encode(schedule) else { return nil }
    return strdup(String(decoding: data, as: UTF8.self))
}
