import Foundation

/// Two threads on one processor take turns, and never meet.
///
/// Keeps threads on processors of their own, where there are enough. A system that refuses leaves a thread where it was.
enum Processors {
    #if os(Linux)
    // None of the three is imported; two of them take a set of bits.
    private typealias Call = @convention(c) (_ thread: Int32, _ size: Int, _ set: UnsafeMutableRawPointer?) -> Int32
    private static let set = dlsym(nil, "sched_setaffinity").map { unsafeBitCast($0, to: Call.self) }
    private static let get = dlsym(nil, "sched_getaffinity").map { unsafeBitCast($0, to: Call.self) }
    private static let getCurrent = dlsym(nil, "sched_getcpu").map {
        unsafeBitCast($0, to: (@convention(c) () -> Int32).self)
    }
    private static let words = 16

    /// Those that the process may use.
    private static let all: [Int] = {
        var bits = [UInt64](repeating: 0, count: words)
        guard let get, get(getpid(), 8 * words, &bits) >= 0 else { return [] }
        return (0..<64 * words).filter { bits[$0 / 64] & 1 << ($0 % 64) != 0 }
    }()

    /// The one that this thread runs on.
    static var current: Int { Int(getCurrent?() ?? -1) }

    /// Keeps this thread on the processor with this number. Where there are fewer, they are counted again from the first.
    static func use(_ number: Int) {
        guard all.count > 1 else { return }
        move(to: all[number % all.count])
    }

    /// Moves this thread to another processor than this one.
    static func avoid(_ processor: Int) {
        guard current == processor, let other = all.first(where: { $0 != processor }) else { return }
        move(to: other)
    }

    private static func move(to processor: Int) {
        var bits = [UInt64](repeating: 0, count: words)
        bits[processor / 64] = 1 << (processor % 64)
        _ = set?(0, 8 * words, &bits)
    }
    #else
    static let current = -1
    static func use(_ number: Int) {}
    static func avoid(_ processor: Int) {}
    #endif
}
