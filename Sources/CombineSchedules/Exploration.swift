import Foundation
import Schedules

/// What one try is made of: threads that meet, and what has to hold when nothing can go on any more.
struct Meeting {
    var threads: [() -> Void]
    var check: () -> Void
}

/// Runs a meeting in one order after the other.
final class Exploration {
    struct Ending {
        var orders: Int
        /// What is wrong in one of them, in words.
        var finding: String?
    }

    private let make: () -> Meeting
    private var left = 0
    private var check: () -> Void = {}

    private init(_ make: @escaping () -> Meeting) {
        self.make = make
    }

    static func run(_ make: @escaping () -> Meeting) -> Ending {
        let exploration = Exploration(make)
        let result = schedules_explore(
            { context in Exploration.from(context).begin() }, { _ in false }, { true },
            Unmanaged.passUnretained(exploration).toOpaque(), 1, mostOrders, 60, 2)
        let orders = Int(schedules_tries())
        return Ending(orders: orders, finding: finding(of: result))
    }

    /// Enough for nearly all orders with one interruption; of those with two, some.
    private static let mostOrders: UInt32 = 120

    private static func from(_ context: UnsafeMutableRawPointer?) -> Exploration {
        guard let context else { fatalError("The scheduler gave back another pointer than it was given.") }
        return Unmanaged.fromOpaque(context).takeUnretainedValue()
    }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func begin() {
        brokenPromises = []
        let meeting = make()
        left = meeting.threads.count
        check = meeting.check
        for thread in meeting.threads { start(thread) }
        schedules_interrupt(true)
    }

    private func start(_ body: @escaping () -> Void) {
        let call = Retained { [self] in
            body()
            quietly {
                left -= 1
                if left == 0 { schedules_whenQuiet({ Exploration.from($0).end() }, context) }
            }
        }
        schedules_start(
            { context in
                guard let context else { return }
                Unmanaged<Retained>.fromOpaque(context).takeRetainedValue().body()
            }, Unmanaged.passRetained(call).toOpaque())
    }

    /// The check may wait for a lock. So it has a thread too.
    private func end() {
        schedules_interrupt(false)
        schedules_start(
            { context in
                let exploration = Exploration.from(context)
                exploration.check()
                exploration.check = {}
                schedules_end(!brokenPromises.isEmpty)
            }, context)
    }

    private static func finding(of result: SchedulesResult) -> String? {
        switch result {
        case schedules_passed: nil
        case schedules_failed: brokenPromises.joined(separator: "; ")
        case schedules_dataRace: "a data race: \(place(schedules_access, 0)) and \(place(schedules_access, 1))"
        case schedules_stuck:
            "nothing can go on: "
                + (0..<schedules_waiters()).map { place(schedules_waiter, $0) }.joined(separator: ", ")
        case schedules_endless: "it goes on without an end"
        default: "something outside of the scheduler had a part in it"
        }
    }

    private static func place(_ tell: (UInt32, UnsafeMutablePointer<UInt64>?) -> Void, _ index: UInt32) -> String {
        var words = [UInt64](repeating: 0, count: Int(schedules_eventWords))
        tell(index, &words)
        return Lines.at(words[2...].filter { $0 != 0 })
    }

    /// The order that was run last, which its threads can be run in again.
    static var text: String {
        var text = [CChar](repeating: 0, count: 200)
        schedules_text(&text, UInt32(text.count))
        return text.withUnsafeBufferPointer {
            String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

/// C takes a pointer, and no closure.
private final class Retained {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

/// What the check of this try, or a subscriber in it, has seen.
nonisolated(unsafe) var brokenPromises: [String] = []  // one thread runs at a time

func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { brokenPromises.append(message()) }
}

/// Runs what is the program's own: no thread is stopped in it, and its accesses are not looked at.
func quietly<Result>(_ body: () -> Result) -> Result {
    schedules_keepTurn(true)
    defer { schedules_keepTurn(false) }
    return body()
}
