import Foundation
import Synchronization

/// Work that waits in a Dispatch queue, or that a thread has just been woken for, cannot be counted: it can only be seen in
/// the threads that are awake.
///
/// Whether any other thread of this process is awake. The system's own records decide that, not real time, so the answer
/// is the same on a busy machine: a thread that is ready to run but has no processor yet counts as awake.
enum ProcessActivity {
    /// Whether all threads but the caller's are asleep, all at one moment of this call.
    ///
    /// - Parameter ignored: Threads that are left out, because they compute without end.
    static func isAsleep(ignoring ignored: Set<Int> = []) -> Bool {
        looks.add(1, ordering: .sequentiallyConsistent)
        defer { looks.subtract(1, ordering: .sequentiallyConsistent) }
        // A thread that ran during the scans and sleeps again has been switched, so the counts differ. One look is not enough: a
        // thread that wakes another and falls asleep is seen asleep some moments before its switch is counted.
        let before = switches
        if isOutputFull { return false }
        for _ in 0..<3 {
            guard awakeThreads().isSubset(of: ignored) else { return false }
            guard !ignored.isEmpty || switches == before else { return false }
        }
        return true
    }

    /// Whether `isAsleep()` looks at this moment. The monitor does not look then: among hundreds of threads it would be
    /// switched off its processor meanwhile, as if other code had run.
    static var isLooking: Bool { looks.load(ordering: .sequentiallyConsistent) > 0 }

    private static let looks = Atomic<Int>(0)

    /// The thread of `WaitMonitor` while it sleeps or looks, or 0. It is left out then: it wakes more often than a look at
    /// hundreds of threads takes. At other times it may hold a lock that others wait for, so that all of them are asleep and have
    /// work left.
    private static let monitor = Atomic<Int>(0)

    /// Which threads are awake, for the thread of `WaitMonitor`; nil where none seems to be, and one has run meanwhile: of two
    /// threads that wake each other in turn, each may be seen asleep.
    static func monitorLooks() -> Set<Int>? {
        monitor.store(ownThread ?? 0, ordering: .sequentiallyConsistent)
        defer { monitor.store(0, ordering: .sequentiallyConsistent) }
        return uncounted {
            if isOutputFull { return nil }
            let before = switches
            let awake = awakeThreads()
            return awake.isEmpty && switches != before || isOutputFull ? nil : awake
        }
    }

    /// Whether a thread that prints waits for a reader of what was printed before: it seems to sleep, and goes on.
    private static var isOutputFull: Bool {
        var outputs = (
            pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        )
        let ready = withUnsafeMutablePointer(to: &outputs) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, 0) }
        }
        return ready >= 0 && (outputs.0.revents == 0 || outputs.1.revents == 0)
    }

    #if canImport(Darwin)
    /// Lets the thread of `WaitMonitor` sleep.
    static func letMonitorSleep(microseconds: UInt32) {
        monitor.store(ownThread ?? 0, ordering: .sequentiallyConsistent)
        usleep(microseconds)
        monitor.store(0, ordering: .sequentiallyConsistent)
    }

    private static var ownThread: Int? {
        let own = mach_thread_self()
        defer { mach_port_deallocate(mach_task_self_, own) }
        return Int(own)
    }

    /// A number that grows whenever another thread runs.
    static var switches: Int { threads().reduce(0) { $0 &+ $1.microseconds } }

    /// The same for the thread of `WaitMonitor`, between two of its sleeps too.
    static var switchesOfOthers: Int { switches }

    static func awakeThreads() -> Set<Int> {
        Set(threads().filter { $0.state != TH_STATE_WAITING }.map(\.port))
    }

    private static func threads() -> [(port: Int, state: Int32, microseconds: Int)] {
        var list: thread_act_array_t?
        var count: mach_msg_type_number_t = 0
        guard task_threads(mach_task_self_, &list, &count) == KERN_SUCCESS, let list else { return [] }
        let own = mach_thread_self()
        defer {
            mach_port_deallocate(mach_task_self_, own)
            let bytes = vm_size_t(count) * vm_size_t(MemoryLayout<thread_act_t>.stride)
            vm_deallocate(mach_task_self_, vm_address_t(UInt(bitPattern: list)), bytes)
        }
        return (0..<Int(count)).compactMap { index in
            let thread = list[index]
            defer { mach_port_deallocate(mach_task_self_, thread) }
            guard thread != own, Int(thread) != monitor.load(ordering: .sequentiallyConsistent) else { return nil }
            var info = thread_basic_info()
            let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size
            var size = mach_msg_type_number_t(words)
            let result = withUnsafeMutablePointer(to: &info) {
                $0.withMemoryRebound(to: integer_t.self, capacity: words) {
                    thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &size)
                }
            }
            // A thread that has ended since it was listed may have started another one, which is not in the list.
            guard result == KERN_SUCCESS else { return (Int(thread), TH_STATE_RUNNING, 0) }
            let user = Int(info.user_time.seconds) * 1_000_000 + Int(info.user_time.microseconds)
            let system = Int(info.system_time.seconds) * 1_000_000 + Int(info.system_time.microseconds)
            return (Int(thread), info.run_state, user + system)
        }
    }
    #else
    /// How often the thread of `WaitMonitor` has been switched off a processor, with the sleep that it is in.
    private static let monitorSwitches = Atomic<Int>(0)

    /// Lets the thread of `WaitMonitor` sleep.
    static func letMonitorSleep(microseconds: UInt32) {
        monitor.store(ownThread ?? 0, ordering: .sequentiallyConsistent)
        monitorSwitches.store(switches(of: thisThread) + 1, ordering: .relaxed)
        usleep(microseconds)
        monitorSwitches.store(switches(of: thisThread), ordering: .relaxed)
        monitor.store(0, ordering: .sequentiallyConsistent)
    }

    /// How often the system has switched other threads off a processor: no number grows while all of them sleep.
    static var switches: Int {
        switchesOfOthers - monitorSwitches.load(ordering: .relaxed)
    }

    /// The same for the thread of `WaitMonitor`, between two of its sleeps too.
    static var switchesOfOthers: Int { switches(of: __rusage_who_t(RUSAGE_SELF.rawValue)) - switches(of: thisThread) }

    /// RUSAGE_THREAD, which is not imported.
    private static let thisThread: __rusage_who_t = 1

    private static func switches(of threads: __rusage_who_t) -> Int {
        var usage = rusage()
        getrusage(threads, &usage)
        return usage.ru_nvcsw + usage.ru_nivcsw
    }

    /// The other threads that run, are ready to run, or wait for a page of memory.
    ///
    /// A suite looks some ten thousand times, and is built without optimization: hence C's functions, and no collections.
    static func awakeThreads() -> Set<Int> {
        var awake: Set<Int> = []
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        let own = ownThread
        let monitor = monitor.load(ordering: .sequentiallyConsistent)
        while let entry = readdir(folder) {
            withUnsafePointer(to: &entry.pointee.d_name.0) { name in
                // `.` and `..` are no numbers.
                let thread = strtol(name, nil, 10)
                guard thread > 0, thread != own, thread != monitor else { return }
                if isAwake(name, in: dirfd(folder)) { awake.insert(thread) }
            }
        }
        return awake
    }

    /// The number of this thread, which is the end of `12/task/34`.
    private static var ownThread: Int? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let text = buffer.baseAddress else { return nil }
            let count = readlink("/proc/thread-self", text, 63)
            guard count > 0 else { return nil }
            text[count] = 0
            return strrchr(text, CInt(UInt8(ascii: "/"))).map { strtol($0 + 1, nil, 10) }
        }
    }

    private static func isAwake(_ thread: UnsafePointer<CChar>, in folder: CInt) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let text = buffer.baseAddress else { return false }
            strcpy(text, thread)
            strcat(text, "/stat")
            let file = openat(folder, text, O_RDONLY | O_CLOEXEC)
            // A thread that has ended since it was listed may have started another one, which is not in the list.
            guard file >= 0 else { return true }
            defer { close(file) }
            // `12 (a name) S …`: the state stands behind the last parenthesis of the name, which may hold some itself. A name
            // has 15 bytes at most, and numbers follow.
            let count = read(file, text, 63)
            guard count > 0 else { return true }
            text[count] = 0
            guard let end = strrchr(text, CInt(UInt8(ascii: ")"))), end + 2 < text + count else { return false }
            return end[2] == CChar(UInt8(ascii: "R")) || end[2] == CChar(UInt8(ascii: "D"))
        }
    }
    #endif

    /// The processor time that the process has used, in seconds, but for what looking on has cost.
    static var processorSeconds: Double {
        nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) / 1e9 - Double(lookingOn.load(ordering: .relaxed)) / 1e9
    }

    /// Does this without counting it as processor time of the process. On a busy machine the code that is looked at is held up for
    /// seconds, and looking on for that long would seem to be its work.
    static func uncounted<Result>(_ body: () -> Result) -> Result {
        let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        defer { lookingOn.add(Int(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start), ordering: .relaxed) }
        return body()
    }

    private static let lookingOn = Atomic<Int>(0)

    private static func nanoseconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
