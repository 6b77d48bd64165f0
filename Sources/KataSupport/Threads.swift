import Foundation
import Synchronization

/// A data race shows only where two threads are in the same place at the same moment. Threads that are started for each try
/// are too late for each other, and tasks take turns here.
///
/// Threads that stay: for each round they meet, go together, and wait for the next. Thousands of rounds take a fraction of
/// a second.
///
///     let racers = KataSupport.Racers(2)
///     for _ in 0..<2_000 {
///         let publisher = KataSupport.ProbePublisher<Int, Never>()
///         …
///         try await racers.race { publisher.send($0) }
///     }
public final class Racers: Sendable {
    private let count: Int
    private let round = Atomic<Int>(0)
    private let arrived = Atomic<Int>(0)
    /// When the threads of a round go; zero until the last of them has come.
    private let start = Atomic<UInt64>(0)
    private let body = Locked<(@Sendable (Int) -> Void)?>(nil)
    private let ended = Observed(0)
    private let wake: [DispatchSemaphore]

    /// Starts so many threads.
    public init(_ count: Int = 2) {
        self.count = count
        wake = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        for (number, wake) in wake.enumerated() {
            Thread.detachNewThread { [weak self] in
                useOwnProcessor(number)
                repeat { wake.wait() } while self?.run(number) == true
            }
        }
    }

    deinit {
        for semaphore in wake { semaphore.signal() }
    }

    /// Runs the body once on each thread, all at the same moment, and returns when all have ended. The body is given the number
    /// of its thread, from 0.
    public func race(_ body: @escaping @Sendable (Int) -> Void) async throws {
        self.body.withLock { $0 = body }
        arrived.store(0, ordering: .relaxed)
        start.store(0, ordering: .relaxed)
        round.add(1, ordering: .releasing)
        let wanted = ended.value + count
        for semaphore in wake { semaphore.signal() }
        try await ended.until(showing: { [count] in "\(count - wanted + $0)/\(count)" }) { $0 >= wanted }
        self.body.withLock { $0 = nil }
    }

    private func run(_ number: Int) -> Bool {
        guard let body = body.withLock({ $0 }) else { return false }
        if arrived.add(1, ordering: .acquiringAndReleasing).newValue == count {
            start.store(Self.nanoseconds + 1_000, ordering: .releasing)
        }
        var spins = 0
        var start: UInt64 = 0
        while start == 0 {
            start = self.start.load(ordering: .acquiring)
            spins += 1
            // Where there are fewer free processors than threads, the others have to come first.
            if spins % 5_000 == 0 { sched_yield() }
        }
        // Each round has another distance between the threads, up to some microseconds: which one shows a race differs from
        // answer to answer, as one thread may have a longer way to the place where they meet.
        let (round, distance) = round.load(ordering: .acquiring).quotientAndRemainder(dividingBy: 16)
        if number == round % count { start += UInt64(distance * distance) * 32 }
        while Self.nanoseconds < start {}
        body(number)
        ended.update { $0 += 1 }
        return true
    }

    private static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Runs the body on so many threads at once, let go together, and returns when all of them have ended. It is given the number
/// of the thread, from 0.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async throws {
    try await Racers(count).race(body)
}

/// Keeps this thread on a processor of its own where there are enough: two threads on one processor take turns. A system that
/// refuses leaves the thread where it was.
private func useOwnProcessor(_ number: Int) {
    #if os(Linux)
    // Neither function is imported; both take a set of bits.
    typealias Call = @convention(c) (_ thread: Int32, _ size: Int, _ set: UnsafeMutableRawPointer?) -> Int32
    guard let get = dlsym(nil, "sched_getaffinity"), let set = dlsym(nil, "sched_setaffinity") else { return }
    var bits = [UInt64](repeating: 0, count: 16)
    let size = 8 * bits.count
    guard unsafeBitCast(get, to: Call.self)(0, size, &bits) >= 0 else { return }
    let processors = (0..<8 * size).filter { bits[$0 / 64] & 1 << ($0 % 64) != 0 }
    guard processors.count > 1 else { return }
    let processor = processors[number % processors.count]
    bits = [UInt64](repeating: 0, count: 16)
    bits[processor / 64] = 1 << (processor % 64)
    _ = unsafeBitCast(set, to: Call.self)(0, size, &bits)
    #endif
}
