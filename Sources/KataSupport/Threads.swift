import Foundation
import Synchronization

/// A data race shows only where two threads are in the same place at the same moment. Threads that are started for each try
/// are too late for each other, and tasks take turns here.
///
/// Threads that stay: for each round they meet, go together, and wait for the next. Thousands of rounds take a fraction of
/// a second.
///
///     let racers = KataSupport.Racers(2)
///     let publishers = (0..<2_000).map { _ in KataSupport.ProbePublisher<Int, Never>() }
///     …
///     try await racers.race(rounds: 2_000) { thread, round in publishers[round].send(thread) }
public final class Racers: Sendable {
    /// What the threads do in each round, and how many rounds.
    private struct Race {
        var rounds: Int
        var body: @Sendable (_ thread: Int, _ round: Int) -> Void
    }

    private let count: Int
    private let race = Locked<Race?>(nil)
    private let ended = Observed(0)
    private let wake: [DispatchSemaphore]
    private let start: Barrier

    /// Starts so many threads.
    public init(_ count: Int = 2) {
        self.count = count
        wake = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        start = Barrier(count)
        for (number, wake) in wake.enumerated() {
            Thread.detachNewThread { [weak self, start] in
                Processors.use(number)
                pthread_setspecific(Self.enqueued, UnsafeMutableRawPointer(bitPattern: 1))
                var round = 0
                while true {
                    wake.wait()
                    guard let race = self?.race.withLock({ $0 }) else { return }
                    for index in 0..<race.rounds {
                        start.pass(number, round)
                        race.body(number, index)
                        round += 1
                    }
                    self?.ended.update { $0 += 1 }
                }
            }
        }
    }

    /// How many tasks this thread has made ready, from 1 on; nil for other threads.
    private static let enqueued = makeKey()

    /// Whether this thread is a racing one that lets the task run first that it has just made ready. A task that has ended
    /// before the code that began it goes on is rare, and is what shows a race between the two. One of sixteen does so, as
    /// other races show where the threads stay side by side.
    static func isDetour() -> Bool {
        guard let count = pthread_getspecific(enqueued).map(UInt.init(bitPattern:)) else { return false }
        pthread_setspecific(enqueued, UnsafeMutableRawPointer(bitPattern: count + 1))
        return count % 16 == 8
    }

    /// Where this thread wants the next job that it makes ready; nil for other threads.
    private static let wanted = makeKey()

    private static func makeKey() -> pthread_key_t {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "Racing threads need a key for a value of their own.")
        return key
    }

    /// Whether this thread runs the job itself (see `goOn`).
    static func takes(_ job: UnownedJob) -> Bool {
        guard let place = pthread_getspecific(wanted) else { return false }
        // Only the first one: what that one makes ready may belong to code that holds a lock now.
        pthread_setspecific(wanted, nil)
        place.assumingMemoryBound(to: UnownedJob?.self).pointee = job
        return true
    }

    /// Resumes a task and runs it on this thread until it waits again, so that it races with those of the other threads (see
    /// `RaceGate`).
    ///
    /// - Parameter resume: Resumes one continuation.
    static func goOn(_ resume: () -> Void) {
        let place = UnsafeMutablePointer<UnownedJob?>.allocate(capacity: 1)
        place.initialize(to: nil)
        defer { place.deallocate() }
        pthread_setspecific(wanted, place)
        resume()
        pthread_setspecific(wanted, nil)
        place.pointee?.runSynchronously(on: TaskQueue.pool)
    }

    deinit {
        race.withLock { $0 = nil }
        for semaphore in wake { semaphore.signal() }
    }

    /// Runs the body once on each thread, all at the same moment, and returns when all have ended. The body is given the number
    /// of its thread, from 0.
    public func race(_ body: @escaping @Sendable (Int) -> Void) async throws {
        try await race(rounds: 1) { thread, _ in body(thread) }
    }

    /// Does so for each round, without a pause between them: the body is given the numbers of its thread and of the round,
    /// from 0.
    public func race(rounds: Int, _ body: @escaping @Sendable (_ thread: Int, _ round: Int) -> Void) async throws {
        race.withLock { $0 = Race(rounds: rounds, body: body) }
        let wanted = ended.value + count
        for semaphore in wake { semaphore.signal() }
        // The threads spin while they meet, for some milliseconds each time where other programs take their processors.
        try await ended.until(
            showing: { [count] in "\(count - wanted + $0)/\(count)" }, ownSeconds: 0.25 + Double(rounds) / 200
        ) { $0 >= wanted }
        race.withLock { $0 = nil }
    }
}

/// Holds threads back until the last of them has come, and lets them go at the same moment, again and again.
private final class Barrier: @unchecked Sendable {  // `start` is set before `opened`, and read after it
    private let count: Int
    private let arrived = Atomic<Int>(0)
    /// How many times it has been opened.
    private let opened = Atomic<Int>(0)
    /// When the threads of this round go.
    private var start: UInt64 = 0
    private let condition = NSCondition()

    init(_ count: Int) {
        self.count = count
    }

    func pass(_ number: Int, _ round: Int) {
        if arrived.add(1, ordering: .acquiringAndReleasing).newValue == count * (round + 1) {
            start = Self.nanoseconds + 1_000
            condition.lock()
            opened.store(round + 1, ordering: .releasing)
            condition.broadcast()
            condition.unlock()
        } else {
            wait(for: round + 1)
        }
        // Each round has another distance between the threads, up to some microseconds: which one shows a race differs from
        // answer to answer, as one thread may have a longer way to the place where they meet.
        let (turn, distance) = round.quotientAndRemainder(dividingBy: 16)
        var start = start
        if number == turn % count { start += UInt64(distance * distance) * 32 }
        while Self.nanoseconds < start {}
    }

    /// Spins, as a thread that sleeps is late. A thread that waits for one that hangs goes to sleep in the end.
    private func wait(for round: Int) {
        for spins in 1...50_000 {
            if opened.load(ordering: .acquiring) >= round { return }
            // Where there are fewer free processors than threads, the others have to come first.
            if spins % 5_000 == 0 { sched_yield() }
        }
        condition.lock()
        while opened.load(ordering: .acquiring) < round { condition.wait() }
        condition.unlock()
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
