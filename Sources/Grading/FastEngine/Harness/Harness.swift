// The program that runs a suite. The engine compiles it once for a compiler, and starts it for every run.
//
// It reads what to do from descriptor 3, walls itself in, loads the suite and the submission as one image, and writes
// one line for each thing that happens to descriptor 4 (see `EventSeal`). The submission shares this process, so the key
// that lines are made with was read, and its descriptor closed, before any of the submission's code was there.
import Dispatch
import Foundation
import Glibc
import XCTest

/// The one thread that writes events: the kernel keeps all others from their descriptor (see `wallOffEvents`).
final class EventThread: @unchecked Sendable {  // `line` is handed over by the semaphores
    private let filled = DispatchSemaphore(value: 0)
    private let written = DispatchSemaphore(value: 0)
    private var line = Data()
    private var isWalledIn = false

    init() {
        Thread.detachNewThread { [self] in
            while true {
                filled.wait()
                if line.isEmpty { isWalledIn = wallIn() } else { writeAll(line, to: 4) }
                written.signal()
            }
        }
    }

    /// Returns when the line has left. One caller at a time.
    func write(_ line: Data) {
        self.line = line
        filled.signal()
        written.wait()
    }

    /// Leaves this thread what computing needs.
    func wallYourselfIn() -> Bool {
        write(Data())
        return isWalledIn
    }
}

func writeAll(_ bytes: Data, to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
        var offset = 0
        while offset < buffer.count {
            let written = write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            if written < 0 {
                if errno == EINTR { continue }
                _exit(71)
            }
            offset += written
        }
    }
}

/// What the suite found, which KataSupport keeps for this program. The texts of issues only name it, by a word that is drawn
/// for it: code that reads or writes such texts can neither read nor write a finding.
struct Findings: Sendable {
    private typealias Take = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
    private let take: Take?

    init(_ support: UnsafeMutableRawPointer?) {
        guard let support, let keep = dlsym(support, "kataSupportKeepFindings"),
            let take = dlsym(support, "kataSupportTakeFinding")
        else {
            self.take = nil
            return
        }
        unsafeBitCast(keep, to: (@convention(c) () -> Void).self)()
        self.take = unsafeBitCast(take, to: Take.self)
    }

    /// The JSON of the first finding that the texts name.
    func take(in texts: [String]) -> String? {
        guard let take else { return nil }
        let mark = Array("finding: ".utf8)
        for text in texts {
            // It stands at the end, behind whatever the answer gave.
            let end = Array(text.utf8.suffix(400))
            for range in end.ranges(of: mark).reversed() {
                let word = end[range.upperBound...].prefix { $0 != 10 && $0 != 34 }
                guard let json = take(String(decoding: word, as: UTF8.self)) else { continue }
                defer { free(json) }
                return String(cString: json)
            }
        }
        return nil
    }
}

/// The way events leave.
final class Events: @unchecked Sendable {  // `seal` and `images` are used with the lock held
    private var seal: EventSeal
    private let marker: String
    private let turned: [String: Int]
    private let findings: Findings
    private let isEndless: (@convention(c) () -> Bool)?
    private let beginTest: (@convention(c) (_ turned: Int) -> Void)?
    private let expectations: (@convention(c) () -> Int)?
    private let orders: (@convention(c) () -> Int)?
    private let lock = NSLock()
    let thread = EventThread()
    /// What has to be as it was when the suite began.
    var images: LoadedImages?

    init(_ request: RunRequest, support: UnsafeMutableRawPointer?) {
        func function<Function>(_ name: String) -> Function? {
            support.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: Function.self) }
        }
        seal = EventSeal(request.key)
        marker = request.marker
        turned = request.turned
        findings = Findings(support)
        isEndless = function("kataSupportIsEndless")
        beginTest = function("kataSupportBeginTest")
        expectations = function("kataSupportExpectations")
        orders = function("kataSupportOrders")
    }

    func send(_ kind: RunEvent.Kind, test: String? = nil, texts: [String]? = nil) {
        send(RunEvent(kind, test: test, texts: texts))
    }

    func sendStart(of test: String) {
        beginTest?(turned[test] ?? 0)
        markOutput()
        send(.started, test: test)
    }

    func sendEnd(of test: String) {
        markOutput()
        send(
            RunEvent(
                .ended, test: test, endless: isEndless?() == true ? true : nil, expectations: expectations?(),
                orders: orders?()))
    }

    /// An issue, with its finding where the suite has left one. What a submission can make as long as it likes is cut.
    func sendIssue(test: String?, texts: [String]) {
        var event = RunEvent(.issue, test: test, finding: findings.take(in: texts))
        var room = 8 << 10
        let kept = texts.map { text in
            defer { room -= min(room, text.utf8.count) }
            return text.utf8.count <= room ? text : String(decoding: text.utf8.prefix(room), as: UTF8.self)
        }
        event.texts = kept
        event.cut = zip(texts, kept).reduce(0) { $0 + $1.0.utf8.count - min($1.0.utf8.count, $1.1.utf8.count) }
        send(event)
    }

    func send(_ event: RunEvent) {
        lock.lock()
        defer { lock.unlock() }
        let isIntact = images?.isIntact != false
        guard let line = try? seal.line(isIntact ? event : RunEvent(.tampered)) else { _exit(70) }
        thread.write(line + [10])
        if !isIntact { _exit(72) }
    }

    /// Marks the end of one test's output.
    func markOutput() {
        fflush(nil)
        writeAll(Data("\u{0}\(marker)\u{0}".utf8), to: 1)
    }
}

// MARK: Swift Testing

typealias TestingEntryPoint =
    @convention(thin) @Sendable (
        _ configuration: UnsafeRawBufferPointer?,
        _ record: @escaping @Sendable (_ json: UnsafeRawBufferPointer) -> Void
    ) async throws -> Bool

/// One record of Swift Testing's event stream; what isn't needed is left out.
struct TestingRecord: Decodable {
    struct Payload: Decodable {
        struct Issue: Decodable {
            var isKnown: Bool?
            var severity: String?
            var isFailure: Bool?
        }
        struct Message: Decodable { var text: String }
        var kind: String?
        var testID: String?
        var issue: Issue?
        var messages: [Message]?
    }
    var kind: String
    var payload: Payload
}

struct TestingOptions: Encodable {
    var parallel = false
    var verbosity = Int.min
    var filter: [String]
}

/// `Module.Suite/function()/File.swift:1:2` as `Suite/function()`; `nil` for a suite, which has no function.
func testName(_ id: String) -> String? {
    guard let dot = id.firstIndex(of: ".") else { return nil }
    var parts = id[id.index(after: dot)...].split(separator: "/", omittingEmptySubsequences: false)
    if let last = parts.last, last.contains(":") { parts.removeLast() }
    guard let function = parts.last, function.contains("(") else { return nil }
    return parts.joined(separator: "/")
}

/// Runs each group of tests after the one before it.
func runTesting(_ groups: [[String]], events: Events) async {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swt_abiv0_getEntryPoint") else {
        events.send(.broken, texts: ["swt_abiv0_getEntryPoint"])
        return
    }
    let getEntryPoint = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer).self)
    let entryPoint = unsafeBitCast(getEntryPoint(), to: TestingEntryPoint.self)
    for tests in groups where !tests.isEmpty { await runTesting(tests, entryPoint, events: events) }
}

func runTesting(_ tests: [String], _ entryPoint: TestingEntryPoint, events: Events) async {
    let filter = tests.map { "^[^.]+\\." + NSRegularExpression.escapedPattern(for: $0) + "(/|$)" }
    guard let options = try? JSONEncoder().encode(TestingOptions(filter: filter)) else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: options.count, alignment: 1)
    defer { buffer.deallocate() }
    options.copyBytes(to: buffer)
    do {
        _ = try await entryPoint(UnsafeRawBufferPointer(buffer)) { json in
            guard let record = try? JSONDecoder().decode(TestingRecord.self, from: Data(json)) else {
                // It may have been an issue.
                return events.sendIssue(test: nil, texts: [String(decoding: json, as: UTF8.self)])
            }
            guard record.kind == "event", let kind = record.payload.kind else { return }
            let test = record.payload.testID.flatMap(testName)
            switch kind {
            case "testStarted":
                guard let test else { return }
                events.sendStart(of: test)
            case "testEnded":
                guard let test else { return }
                events.sendEnd(of: test)
            case "testSkipped", "testCancelled", "testCaseCancelled":
                events.send(.skipped, test: test)
            case "issueRecorded":
                if record.payload.issue?.isKnown == true { return }
                if record.payload.issue?.isFailure == false { return }
                events.sendIssue(test: test, texts: record.payload.messages?.map(\.text) ?? [])
            default:
                return
            }
        }
    } catch {
        events.send(.broken, texts: ["\(error)"])
    }
}

// MARK: XCTest

final class XCTestEvents: NSObject, XCTestObservation {
    let events: Events
    init(_ events: Events) { self.events = events }

    static func name(_ test: XCTestCase) -> String {
        // `Suite.testThrows`, where the engine says `Suite/testThrows`.
        test.name.replacingOccurrences(of: ".", with: "/")
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        events.sendStart(of: Self.name(testCase))
    }

    func testCase(_ testCase: XCTestCase, didFailWithDescription description: String, inFile: String?, atLine: Int) {
        events.sendIssue(test: Self.name(testCase), texts: [description])
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        let run = testCase.testRun
        if run?.hasBeenSkipped == true || (run?.executionCount ?? 0) == 0 {
            events.send(.skipped, test: Self.name(testCase))
        }
        events.sendEnd(of: Self.name(testCase))
    }
}

func runXCTest(_ tests: [String], image: UnsafeMutableRawPointer, events: Events) {
    // Swift's own calling convention: the image is compiled from the engine's list, by the same compiler as this file.
    typealias List = @convention(thin) () -> [(id: String, entry: XCTestCaseEntry)]
    var entries: [String: XCTestCaseEntry] = [:]
    for name in ["kataXCTests", "kataControlTests"] {
        guard let symbol = dlsym(image, name) else {
            events.send(.broken, texts: [name])
            return
        }
        for test in unsafeBitCast(symbol, to: List.self)() { entries[test.id] = test.entry }
    }
    let observer = XCTestEvents(events)
    XCTestObservationCenter.shared.addTestObserver(observer)
    // XCTest now and then misses the end of an `async` test, and looks again after 100 ms or when its run loop has done something.
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.setEventHandler {}
    timer.resume()
    defer { timer.cancel() }
    for test in tests {
        guard let entry = entries[test] else { continue }
        for (name, body) in entry.allTests { entry.testCaseClass.init(name: name, testClosure: body).run() }
    }
}

/// The tests with those that have to fail before, between and after them.
func groups(_ tests: [String], _ controls: [String]) -> [[String]] {
    guard controls.count == 3 else { return [tests] }
    let half = (tests.count + 1) / 2
    return [[controls[0]], Array(tests[..<half]), [controls[1]], Array(tests[half...]), [controls[2]]]
}

// MARK: Walls

/// Limits of this process, which it cannot raise again.
func limit(_ request: RunRequest) {
    func set(_ resource: Int32, _ value: Int, spare: Int = 0) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value + spare))
        _ = setrlimit(__rlimit_resource_t(UInt32(resource)), &limit)
    }
    set(Int32(RLIMIT_CORE.rawValue), 0)
    set(Int32(RLIMIT_CPU.rawValue), request.processorSeconds, spare: 2)  // so that it ends by the signal that says so
    set(Int32(RLIMIT_FSIZE.rawValue), request.fileMegabytes << 20)
    set(Int32(RLIMIT_NOFILE.rawValue), request.openFiles)
    set(Int32(RLIMIT_AS.rawValue), request.memoryMegabytes << 20)
    if getuid() != 0 { set(6, request.threads) }  // RLIMIT_NPROC, which doesn't bind root
}

/// Says so when memory is reached for that is not there. The handler runs on the stack of the thread that did it, so where
/// that is used up it cannot run, and nothing is said.
func tellStrayAccesses() {
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { number in
        let words: StaticString = "\nThe process reached for memory that is not there.\n"
        _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
        signal(number, SIG_DFL)
    }
    action.__sigaction_handler.sa_handler = handler
    for signal in [SIGSEGV, SIGBUS] { sigaction(signal, &action, nil) }
}

struct SocketFilter {
    var code: UInt16
    var jumpTrue: UInt8
    var jumpFalse: UInt8
    var constant: UInt32
}
struct SocketFilterProgram {
    var length: UInt16
    var filter: UnsafeMutablePointer<SocketFilter>?
}

#if arch(x86_64)
let auditArchitecture: UInt32 = 0xC000_003E
/// read write close fstat lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn pread64 readv writev
/// sched_yield mremap madvise nanosleep getpid exit fcntl(reads) poll select getrusage times getuid getgid geteuid getegid
/// sigaltstack arch_prctl gettid futex sched_getaffinity set_tid_address restart_syscall clock_gettime clock_getres
/// clock_nanosleep exit_group epoll_wait epoll_ctl ppoll set_robust_list epoll_pwait timerfd_* eventfd2 epoll_create1 pipe2
/// getrandom membarrier rseq uname getcwd gettimeofday sysinfo getcpu sched_getparam sched_getscheduler
/// and asking about files: stat, access, readlink, getdents
/// and rt_sigsuspend: where it is refused, the main thread asks for it again and again as long as the suite runs
let allowedCalls: [UInt32] = [
    0, 1, 3, 5, 7, 8, 9, 11, 12, 13, 14, 15, 17, 19, 20, 23, 24, 25, 28, 35, 39, 60, 63, 72, 79, 96, 97, 98, 99, 100,
    102,
    104, 107, 108, 110, 131, 143, 145, 146, 147, 158, 186, 201, 202, 204, 217, 218, 219, 228, 229, 230, 231, 232, 233,
    262,
    271, 273, 281, 283, 286, 287, 290, 291, 293, 309, 318, 324, 332, 334, 439, 441, 21, 89, 267, 269, 130,
]
let callSetAffinity: UInt32 = 203
let (callClone, callClone3, callMprotect, callMmap, callKill, callTgkill, callPrctl, callPrlimit, callOpenat) = (
    UInt32(56), UInt32(435), UInt32(10), UInt32(9), UInt32(62), UInt32(234), UInt32(157), UInt32(302), UInt32(257)
)
/// write, writev, fcntl (which duplicates) and close
let callsOnEvents: [UInt32] = [1, 20, 72, 3]
let callMremap: UInt32 = 25
/// mprotect, munmap, mremap and madvise
let callsOnMemory: [UInt32] = [10, 11, 25, 28]
#else
let auditArchitecture: UInt32 = 0xC000_00B7
let allowedCalls: [UInt32] = [
    17, 19, 20, 21, 22, 25, 57, 59, 62, 63, 64, 65, 66, 67, 72, 73, 80, 85, 86, 87, 93, 94, 96, 98, 99, 101, 113, 114,
    115, 120, 121, 123, 124, 128, 132, 133, 134, 135, 139, 153, 160, 163, 165, 168, 169, 172, 173, 174, 175, 176,
    177,
    178, 179, 214, 215, 216, 233, 278, 283, 291, 293, 439, 441, 48, 61, 78, 79,
]
let callSetAffinity: UInt32 = 122
let (callClone, callClone3, callMprotect, callMmap, callKill, callTgkill, callPrctl, callPrlimit, callOpenat) = (
    UInt32(220), UInt32(435), UInt32(226), UInt32(222), UInt32(129), UInt32(131), UInt32(167), UInt32(261), UInt32(56)
)
let callsOnEvents: [UInt32] = [64, 66, 25, 57]
let callMremap: UInt32 = 216
let callsOnMemory: [UInt32] = [226, 215, 216, 233]
#endif

/// Leaves this thread, and those that it and they start, the system calls that computing needs, and no others: no file can be
/// written, no process started, nothing sent, no memory made executable.
func wallIn() -> Bool {
    var program: [SocketFilter] = []
    func load(_ offset: UInt32) {
        program.append(SocketFilter(code: 0x20, jumpTrue: 0, jumpFalse: 0, constant: offset))
    }
    func answer(_ value: UInt32) {
        program.append(SocketFilter(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: value))
    }
    /// Skips `count` instructions unless the loaded word equals `value`.
    func unlessEqual(_ value: UInt32, skip count: UInt8) {
        program.append(SocketFilter(code: 0x15, jumpTrue: 0, jumpFalse: count, constant: value))
    }
    func ifAnyBit(_ bits: UInt32, skip count: UInt8) {
        program.append(SocketFilter(code: 0x45, jumpTrue: count, jumpFalse: 0, constant: bits))
    }
    let allow: UInt32 = 0x7FFF_0000
    let kill: UInt32 = 0x8000_0000
    let notPermitted: UInt32 = 0x0005_0000 | UInt32(EPERM)
    let argument = { (index: UInt32) in 16 + 8 * index }

    load(4)
    unlessEqual(auditArchitecture, skip: 1)
    program.append(SocketFilter(code: 0x05, jumpTrue: 0, jumpFalse: 0, constant: 1))
    answer(kill)
    load(0)
    unlessEqual(callClone3, skip: 1)
    answer(0x0005_0000 | UInt32(ENOSYS))  // the C library then uses clone, whose flags can be read
    // clone: threads only.
    unlessEqual(callClone, skip: 4)
    load(argument(0))
    ifAnyBit(0x10000, skip: 1)
    answer(notPermitted)
    answer(allow)
    // mmap, mprotect: nothing executable.
    for call in [callMmap, callMprotect] {
        unlessEqual(call, skip: 4)
        load(argument(2))
        ifAnyBit(0x4, skip: 1)
        answer(allow)
        answer(notPermitted)
    }
    // Signals to this process only, as abort() sends.
    for call in [callKill, callTgkill] {
        unlessEqual(call, skip: 4)
        load(argument(0))
        unlessEqual(UInt32(getpid()), skip: 1)
        answer(allow)
        answer(notPermitted)
    }
    // prctl: a thread's name only.
    unlessEqual(callPrctl, skip: 4)
    load(argument(0))
    unlessEqual(15, skip: 1)
    answer(allow)
    answer(notPermitted)
    // sched_setaffinity: this thread only. Suites keep threads that race on processors of their own.
    unlessEqual(callSetAffinity, skip: 4)
    load(argument(0))
    unlessEqual(0, skip: 1)
    answer(allow)
    answer(notPermitted)
    // prlimit: asking only.
    unlessEqual(callPrlimit, skip: 6)
    load(argument(2))
    unlessEqual(0, skip: 3)
    load(argument(2) + 4)
    unlessEqual(0, skip: 1)
    answer(allow)
    answer(notPermitted)
    // openat: reading only; what there is to read is the sandbox's matter. UUIDs come from /dev/urandom.
    unlessEqual(callOpenat, skip: 4)
    load(argument(2))
    ifAnyBit(UInt32(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND), skip: 1)
    answer(allow)
    answer(notPermitted)
    for call in allowedCalls {
        unlessEqual(call, skip: 1)
        answer(allow)
    }
    answer(notPermitted)

    // The files of this process in /proc, its memory among them, are not its user's to open.
    guard systemCall(Int(callPrctl), 4, 0) == 0 else { return false }  // PR_SET_DUMPABLE
    return install(program)
}

/// Keeps this thread, and those that it and they start, from the events' descriptor: only the thread that writes events
/// was there before. Whatever a submission comes to know or to call, the kernel does not take its word.
func wallOffEvents() -> Bool {
    // With another thread about, there would be one without this wall.
    guard (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count == 2 else { return false }
    var program = [SocketFilter(code: 0x20, jumpTrue: 0, jumpFalse: 0, constant: 0)]
    for call in callsOnEvents {
        program += [
            SocketFilter(code: 0x15, jumpTrue: 0, jumpFalse: 4, constant: call),
            SocketFilter(code: 0x20, jumpTrue: 0, jumpFalse: 0, constant: 16),
            SocketFilter(code: 0x15, jumpTrue: 0, jumpFalse: 1, constant: 4),
            SocketFilter(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: 0x0005_0000 | UInt32(EPERM)),
            SocketFilter(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: 0x7FFF_0000),
        ]
    }
    program.append(SocketFilter(code: 0x06, jumpTrue: 0, jumpFalse: 0, constant: 0x7FFF_0000))
    return install(program)
}

func install(_ program: [SocketFilter]) -> Bool {
    #if arch(x86_64)
    let seccomp = 317
    #else
    let seccomp = 277
    #endif
    var program = program
    return program.withUnsafeMutableBufferPointer { buffer in
        var filter = SocketFilterProgram(length: UInt16(buffer.count), filter: buffer.baseAddress)
        return withUnsafeMutablePointer(to: &filter) { pointer in
            guard systemCall(Int(callPrctl), 38, 1) == 0 else { return false }  // PR_SET_NO_NEW_PRIVS
            return systemCall(seccomp, 1, 0, UInt(bitPattern: pointer)) == 0
        }
    }
}

/// prctl and syscall are variadic in C, which Swift doesn't import; both take their words in registers here.
private func systemCall(_ number: Int, _ first: UInt, _ second: UInt, _ third: UInt = 0) -> Int {
    typealias Call = @convention(c) (Int, UInt, UInt, UInt, UInt, UInt) -> Int
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "syscall") else { return -1 }
    return unsafeBitCast(symbol, to: Call.self)(number, first, second, third, 0, 0)
}

// MARK: Deadlocks

/// The way events leave, for a function that can capture nothing.
nonisolated(unsafe) var deadlockEvents: Events?  // set before the suite starts

/// Has KataSupport report when no task of the suite can go on, so that a test that hangs costs no time limit.
func reportDeadlocks(_ support: UnsafeMutableRawPointer, to events: Events) {
    typealias Register = @convention(c) (_ action: @convention(c) (_ isComputing: Bool) -> Void) -> Void
    guard let symbol = dlsym(support, "kataSupportOnDeadlock") else { return }
    deadlockEvents = events
    unsafeBitCast(symbol, to: Register.self)({ isComputing in
        deadlockEvents?.markOutput()
        deadlockEvents?.send(isComputing ? .endless : .deadlock)
        _exit(0)
    })
}

// MARK: Crashes

/// Tells the order of steps in which explored code crashes: the process ends then.
func reportCrashes(_ support: UnsafeMutableRawPointer, to events: Events) {
    guard let symbol = dlsym(support, "kataSupportSchedule") else { return }
    let schedule = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeMutablePointer<CChar>?).self)
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

// MARK: The runtime's words

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

// MARK: The run

@main
enum Harness {
    static func main() {
        if CommandLine.arguments.contains("--check-schedules") { checkSchedules() }
        var input = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(3, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            input.append(contentsOf: buffer[..<count])
        }
        close(3)
        // Whatever else came along through the programs in between is not for the submission.
        for descriptor in Int32(5)..<256 { close(descriptor) }
        guard let request = try? JSONDecoder().decode(RunRequest.self, from: input) else { _exit(64) }
        input.resetBytes(in: 0..<input.count)
        buffer = []

        setvbuf(stdout, nil, _IOLBF, 1 << 12)
        setenv("KATA_SEED", request.seed, 1)
        if let schedule = request.schedule { setenv("KATA_SCHEDULE", schedule, 1) }
        let support = dlopen(request.support, RTLD_NOW | RTLD_GLOBAL)
        let events = Events(request, support: support)
        events.send(.opened)
        guard let support, let image = dlopen(request.image, RTLD_NOW | RTLD_LOCAL) else {
            events.send(.broken, texts: [dlerror().map { String(cString: $0) } ?? ""])
            _exit(65)
        }
        reportDeadlocks(support, to: events)
        for (isWanted, name) in [
            (request.expectsHangs, "kataSupportExpectHangs"), (request.watchesRaces, "kataSupportWatchRaces"),
        ] {
            guard isWanted, let symbol = dlsym(support, name) else { continue }
            unsafeBitCast(symbol, to: (@convention(c) () -> Void).self)()
        }
        limit(request)
        tellStrayAccesses()
        guard let images = LoadedImages(), events.thread.wallYourselfIn(), wallOffEvents(),
            install(filter(keeping: images.readOnly)), wallIn()
        else {
            events.send(.broken, texts: ["seccomp"])
            _exit(66)
        }
        events.images = images
        reportCrashes(support, to: events)

        // A run loop that has nothing to wait for comes back at once, to be run again.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
        if !request.xctest.isEmpty {
            let tests = groups(request.xctest, request.xctestControls).flatMap { $0 }
            runXCTest(tests, image: image, events: events)
        }
        if request.testing.isEmpty {
            events.send(.closed)
            _exit(0)
        }
        Task.detached {
            await runTesting(groups(request.testing, request.testingControls), events: events)
            events.send(.closed)
            _exit(0)
        }
        // The main run loop serves the main queue, the main actor and what an answer adds to `RunLoop.main`.
        while true { RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
