// What the kernel keeps from a submission.
import Foundation
import Glibc

// The engine compiles these files together with `Wire`, as one module.
#if canImport(Wire)
import Wire
#endif

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
