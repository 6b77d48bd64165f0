/// Two threads that meet in the wrong place do so once in a thousand runs, and a test that waits for it passes by chance.
///
/// Runs the body again and again, each time with another order of what its threads and tasks do: first without an
/// interruption, then with one at each place where it can matter, then with two. The order of the tries is drawn by the seed
/// of the run, so the same code always gets the same verdict. It ends with the first try in which the body throws, two
/// accesses meet of which one is a write (a data race), or nothing can go on.
///
///     try await KataSupport.explore { race in
///         let publisher = KataSupport.ProbePublisher<Int, Never>()
///         let wait = Task { await publisher.firstValue }
///         try await publisher.asked()
///         try await race.threads({ publisher.send(1) }, { wait.cancel() })
///         …  // what has to hold now
///     }
///
/// The body makes all that it needs, keeps nothing from one try for the next, and says with thrown errors what does not
/// hold. Where code cannot be stopped between two accesses, as under `swift test`, real threads meet for some rounds.
///
/// - Parameter orders: How many are tried at most. Where a call passes through many places before it comes to the one that
///   matters, more are needed.
public func explore(orders: UInt32 = 150, _ body: @escaping @Sendable (Race) async throws -> Void) async throws {
    TaskQueue.shared.begin()
    // An exploration within one is one of its tries.
    if Schedules.ofThisThread != nil { return try await body(Race()) }
    let before = Expectations.count
    defer { Expectations.count(again: true) }
    if let schedules = Schedules.shared {
        let exploration = Exploration(schedules, .init(tries: orders), body: body)
        guard try await exploration.run() == .undecided else { return }
    }
    // What the tries have counted counts for nothing where they have decided nothing.
    Expectations.rewind(to: before)
    for _ in 0..<Race.roundsOfRealThreads {
        try await body(Race())
        Expectations.count(again: false)
    }
}

/// A thread that the scheduler may stop anywhere is not stopped inside a test's own code.
///
/// A place in a test's own code at which another thread may go on: for a subscriber that stays in a call.
public func pause() {
    Schedules.ofThisThread?.pause()
}

/// The threads of one try of `explore`.
public struct Race: Sendable {
    static let roundsOfRealThreads = 30

    /// Lets these closures run at the same time, each on a thread of its own. Returns when all of them have ended and nothing
    /// is left to run that they began.
    ///
    /// Set-up before it and checks after it are never interrupted. A closure that starts a task brings a task into the race.
    public func threads(_ bodies: (@Sendable () -> Void)...) async throws {
        if let schedules = Schedules.ofThisThread {
            await ExploredThreads(bodies, schedules).run()
        } else {
            try await onThreads(bodies.count) { bodies[$0]() }
            await settle()
        }
    }
}

/// Something was found in one order of an exploration.
struct ExploredFailure: FindingError {
    var finding: Finding
    var prose: String

    init(_ error: any Error, in schedule: Finding.Schedule) {
        let found = error as? any FindingError
        let unexpected = UnexpectedError(error)
        finding = found?.finding ?? unexpected.finding
        finding.schedule = schedule
        prose = found?.prose ?? unexpected.prose
    }

    init(_ key: String, _ kind: Finding.Kind, in schedule: Finding.Schedule, _ prose: String) {
        finding = Finding(key: key, arguments: [], schedule: schedule, kind: kind)
        self.prose = prose
    }
}
