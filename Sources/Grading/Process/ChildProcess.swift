import Foundation
import Synchronization
import Workbook

/// A process that the engine starts, feeds, listens to and always ends.
///
/// Foundation's `Process` cannot pass descriptors other than the three standard ones, and events need their own; so this
/// is `posix_spawn`, with a process group of its own that is killed as a whole.
struct ChildProcess {
    var program: String
    var arguments: [String]
    var environment: [String: String] = [:]
    /// What the child reads, by its own descriptor's number. It fits in a pipe's buffer.
    var inputs: [Int32: [UInt8]] = [:]
    /// Descriptors of this process's own that the child gets as well, by the child's own descriptor's number.
    var passedOn: [Int32: Int32] = [:]
    /// The child's descriptors that are listened to; each inner list shares one pipe.
    var outputs: [[Int32]] = [[1, 2]]
    /// Descriptors of this process's own that are listened to while the child runs, such as a named pipe. They stay open,
    /// and their numbers in `receive` follow those of `outputs`.
    var listensTo: [Int32] = []
    /// What the child is stopped with. A program that has to end processes of other groups gets SIGINT, and SIGKILL only
    /// where that does not end it.
    var stopSignal = SIGKILL
    /// Whether it has a process group of its own, which is killed as a whole. A program that ends what it has started when
    /// it is interrupted has none, so that Ctrl-C at the terminal reaches it.
    var hasOwnGroup = true

    /// With more threads than this, in all that it starts, it is stopped. The kernel's own limit does not hold for root.
    var mostThreads = Int.max

    /// What the listener wants next.
    enum Decision { case proceed, stop }

    struct Result {
        var ending: Ending
        /// It was stopped for its threads.
        var hadTooManyThreads = false
        /// The largest resident size of any process in it, in bytes.
        var residentBytes: Int
        /// Processor time of all of it, in seconds.
        var processorSeconds: Double
    }

    /// Runs to the end, and returns once every process of the group that held a pipe is gone.
    ///
    /// - Parameters:
    ///   - deadline: asked before each wait, since it may move. It is given for how long the child was held up so far.
    ///   - receive: gets what the pipe at an index of `outputs` delivered.
    func run(
        deadline: (_ heldUp: Duration) -> ContinuousClock.Instant,
        receive: (_ output: Int, _ bytes: UnsafeRawBufferPointer) -> Decision
    ) throws(GradingError) -> Result {
        var closing: [Int32] = []
        defer { closing.forEach { close($0) } }
        func pipe() throws(GradingError) -> (reading: Int32, writing: Int32) {
            guard let ends = makePipe() else { throw GradingError(.programFailed, program, errorText(errno)) }
            closing += [ends.0, ends.1]
            return ends
        }

        var actions = FileActions()
        defer { actions.destroy() }
        actions.openNull(0)
        var feeds: [(descriptor: Int32, bytes: [UInt8])] = []
        for (target, bytes) in inputs {
            let ends = try pipe()
            actions.duplicate(ends.reading, as: target)
            feeds.append((ends.writing, bytes))
        }
        for (target, descriptor) in passedOn { actions.duplicate(descriptor, as: target) }
        var listening: [Int32] = []
        for targets in outputs {
            let ends = try pipe()
            targets.forEach { actions.duplicate(ends.writing, as: $0) }
            listening.append(ends.reading)
        }
        let childEnds = closing.filter { end in
            !listening.contains(end) && !feeds.contains { $0.descriptor == end }
        }

        let (pid, delay) = try spawn(actions, deadline)
        Self.running.withLock { [stopSignal] in $0[pid] = stopSignal }
        childEnds.forEach { end in
            close(end)
            closing.removeAll { $0 == end }
        }
        for feed in feeds {
            // A child that has ended already reads nothing, and how it ended is learned below.
            try? FileHandle(fileDescriptor: feed.descriptor).write(contentsOf: feed.bytes)
            close(feed.descriptor)
            closing.removeAll { $0 == feed.descriptor }
        }

        var open = listening.map { Optional($0) }
        var hasEnded = false
        var wasStopped = false
        var hadTooManyThreads = false
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var grace: ContinuousClock.Instant?
        var heldUp = HeldUpTime(of: pid, delayedBy: delay)
        // The end closes the pipes, which ends a pause. After that it comes in a moment, and nothing else tells of it.
        var pause = 50.0

        while !hasEnded || open.contains(where: { $0 != nil }) {
            var polled = open.map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
            polled += listensTo.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            heldUp.update()
            if heldUp.threads > mostThreads { hadTooManyThreads = true }
            let limit = grace ?? deadline(heldUp.total)
            // The deadline is asked often: it comes early when the result is no longer needed.
            let left = ContinuousClock.now.duration(to: limit)
            let milliseconds = max(0, min(pause, (left / .milliseconds(1)).rounded(.up)))
            if poll(&polled, nfds_t(polled.count), Int32(milliseconds)) < 0, errno != EINTR { break }
            var decision = Decision.proceed
            for index in open.indices where polled[index].revents != 0 {
                guard let descriptor = open[index] else { continue }
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 {
                    let received = buffer.withUnsafeBytes {
                        receive(index, UnsafeRawBufferPointer(rebasing: $0[..<count]))
                    }
                    if received == .stop { decision = .stop }
                } else if count == 0 || errno != EINTR {
                    open[index] = nil
                }
            }
            for (index, descriptor) in listensTo.enumerated() where polled[open.count + index].revents != 0 {
                if drain(descriptor, open.count + index, receive) == .stop { decision = .stop }
            }
            let isClosed = open.allSatisfy { $0 == nil }
            pause = isClosed ? min(50, pause == 50 ? 1 : pause * 2) : 50
            if !hasEnded, Self.hasEnded(pid) {
                hasEnded = true
                // Whatever it left behind in its group goes too; a pipe that still stays open is given up after a second.
                if hasOwnGroup { kill(-pid, SIGKILL) }
                grace = .now + .seconds(1)
            }
            if grace == nil, decision == .stop || hadTooManyThreads || ContinuousClock.now >= limit {
                wasStopped = true
                if stopSignal == SIGKILL { kill(-pid, SIGKILL) }
                kill(pid, stopSignal)
                grace = .now + .seconds(5)
            } else if let grace, ContinuousClock.now >= grace {
                kill(hasOwnGroup ? -pid : pid, SIGKILL)
                break
            }
        }
        for (index, descriptor) in listensTo.enumerated() { _ = drain(descriptor, open.count + index, receive) }
        var status: Int32 = 0
        var usage = rusage()
        // From the next line on its number may be another process's.
        Self.running.withLock { $0[pid] = nil }
        while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
        let exitCode = (status >> 8) & 0xFF
        let signal = status & 0x7F
        #if canImport(Darwin)
        let residentBytes = Int(usage.ru_maxrss)
        #else
        let residentBytes = Int(usage.ru_maxrss) * 1024
        #endif
        return Result(
            ending: wasStopped ? .stopped : signal == 0 ? .exited(exitCode) : .signaled(signal),
            hadTooManyThreads: hadTooManyThreads,
            residentBytes: residentBytes,
            processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }

    /// Whether a child has ended, without collecting it: its number stays ours.
    private static func hasEnded(_ pid: pid_t) -> Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_signo == SIGCHLD
    }

    /// Passes on what a descriptor has now, without waiting for more.
    private func drain(
        _ descriptor: Int32, _ index: Int, _ receive: (Int, UnsafeRawBufferPointer) -> Decision
    ) -> Decision {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .proceed }
            let received = buffer.withUnsafeBytes { receive(index, UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if received == .stop { return .stop }
            // A flood ends at the deadline, which is looked at in between.
            if count < buffer.count { return .proceed }
        }
    }

    /// The processes that were started and not waited for yet.
    private static let running = Mutex<[pid_t: Int32]>([:])

    /// Ends every process that is running now, and what it has started; a caller that waits for one learns that it was killed.
    static func endAll() {
        running.withLock { running in
            for (pid, stopSignal) in running { end(pid, stopSignal) }
        }
    }

    /// Ends every process that is running now, and then this one: no caller learns of it.
    static func endAll(then endProgram: () -> Never) -> Never {
        // A caller that waits needs the lock before it can go on.
        running.withLock { running in
            for (pid, stopSignal) in running { end(pid, stopSignal) }
            endProgram()
        }
    }

    private static func end(_ pid: pid_t, _ stopSignal: Int32) {
        #if os(Linux)
        // The compiler's driver and SwiftPM give what they start groups of their own.
        let all = descendants(of: pid)
        kill(-pid, SIGKILL)
        for process in [pid] + all { kill(process, SIGKILL) }
        #else
        kill(stopSignal == SIGKILL ? -pid : pid, stopSignal)
        #endif
    }

    #if os(Linux)
    /// All processes that a process has started, and those that they have started.
    ///
    /// - Parameter most: how many threads of each process are asked for what they have started.
    static func descendants(of pid: pid_t, among most: Int = .max) -> [pid_t] {
        let children = ProcessFiles.threads(of: pid, most: most).flatMap { thread in
            ProcessFiles.read("\(pid)/task/\(thread)/children").split(separator: " ").compactMap { pid_t($0) }
        }
        return children + children.flatMap { descendants(of: $0, among: most) }
    }
    #endif

    /// What a program printed, and how it ended.
    struct Output {
        var ending: Ending
        /// The bytes of each pipe of `outputs`.
        var bytes: [[UInt8]]
        /// All of it as text.
        var text: String { String(decoding: bytes.joined(), as: UTF8.self) }
        /// What an error says of a program that failed.
        var words: String { ending.words(printed: text) }
    }

    /// Runs to the end and collects what is printed. A program is stopped at its time limit, when it prints more than the
    /// limit, and when its result is no longer needed.
    func collectOutput(
        seconds: Double, limit: Int = 1 << 22, cancellation: CancellationFlag? = nil
    ) throws(GradingError) -> Output {
        let end = ContinuousClock.now + .seconds(seconds)
        var bytes = [[UInt8]](repeating: [], count: outputs.count)
        let result = try run { heldUp in
            cancellation?.isCancelled == true ? .now : end + heldUp
        } receive: { output, received in
            bytes[output] += received
            return bytes[output].count < limit ? .proceed : .stop
        }
        return Output(ending: result.ending, bytes: bytes)
    }

    /// Starts the process, and says how long that was put off because the machine had no room for it.
    private func spawn(
        _ actions: FileActions, _ deadline: (_ heldUp: Duration) -> ContinuousClock.Instant
    ) throws(GradingError) -> (pid_t, Duration) {
        var attributes = SpawnAttributes(hasOwnGroup: hasOwnGroup)
        defer { attributes.destroy() }
        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let start = ContinuousClock.now
        while true {
            let error = attributes.spawn(&pid, program, actions, argv, envp)
            let delay = start.duration(to: .now)
            if error == 0 { return (pid, delay) }
            guard error == EAGAIN, delay < Shortage.longest, deadline(delay) > .now else {
                throw GradingError(.programFailed, program, errorText(error))
            }
            // Nothing says when there is room.
            poll(nil, 0, 50)
        }
    }
}

/// Ends this process as a signal does that is not answered, so that its parent process sees which one it was.
func endProcess(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    sigaddset(&unblocked, number)
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    raise(number)
    // Only a signal that does not end a process comes here.
    exit(128 + number)
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Both ends of a pipe that no other child inherits, numbered above what children's own descriptors use.
func makePipe() -> (Int32, Int32)? {
    spawning.withLock { _ in
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        var raised: [Int32] = []
        for end in ends {
            raised.append(fcntl(end, F_DUPFD_CLOEXEC, 16))
            close(end)
        }
        guard raised[0] >= 0, raised[1] >= 0 else { return nil }
        return (raised[0], raised[1])
    }
}

/// Held while a pipe is made and while a process is started: between the two calls that make a pipe, a process started by
/// another thread would inherit it, and the pipe would never be seen to close.
private let spawning = Mutex(())

/// A stranger's code gets the descriptors that it is given, and none that this process happens to have open: each would be
/// a way out, and would count against its limit. Darwin has a flag for it.
private func keepOpenFilesToOurselves() {
    #if canImport(Glibc)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
        if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
    #endif
}

private struct FileActions {
    #if canImport(Glibc)
    var value = posix_spawn_file_actions_t()
    #else
    var value: posix_spawn_file_actions_t?
    #endif

    init() { posix_spawn_file_actions_init(&value) }
    mutating func duplicate(_ from: Int32, as to: Int32) { posix_spawn_file_actions_adddup2(&value, from, to) }
    mutating func openNull(_ descriptor: Int32) {
        posix_spawn_file_actions_addopen(&value, descriptor, "/dev/null", O_RDONLY, 0)
    }
    mutating func destroy() { posix_spawn_file_actions_destroy(&value) }
}

private struct SpawnAttributes {
    #if canImport(Glibc)
    var value = posix_spawnattr_t()
    #else
    var value: posix_spawnattr_t?
    #endif

    init(hasOwnGroup: Bool) {
        posix_spawnattr_init(&value)
        // Ctrl-Z is not for the child. Where it came before the child has its own group and has become its program, the child
        // would stop there, and this process, which waits for that moment, could not be stopped or continued any more.
        var blocked = sigset_t()
        var all = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTSTP)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&value, &blocked)
        posix_spawnattr_setsigdefault(&value, &all)
        posix_spawnattr_setpgroup(&value, 0)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if hasOwnGroup { flags |= POSIX_SPAWN_SETPGROUP }
        #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_setflags(&value, Int16(flags))
    }
    mutating func destroy() { posix_spawnattr_destroy(&value) }

    mutating func spawn(
        _ pid: inout pid_t, _ program: String, _ actions: FileActions, _ argv: [UnsafeMutablePointer<CChar>?],
        _ envp: [UnsafeMutablePointer<CChar>?]
    ) -> Int32 {
        var actions = actions
        var started: pid_t = 0
        let error = spawning.withLock { _ in
            keepOpenFilesToOurselves()
            return posix_spawn(&started, program, &actions.value, &value, argv, envp)
        }
        pid = started
        return error
    }
}
