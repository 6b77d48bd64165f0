// How events leave: each line is written by one thread, and made with a key that no other code has.
import Dispatch
import Foundation
import Glibc

// The engine compiles these files together with `Wire`, as one module.
#if canImport(Wire)
import Wire
#endif

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

    init(_ support: Support) {
        take = support.function(.takeFinding)
        support.call(.keepFindings)
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

    init(_ request: RunRequest, support: Support) {
        seal = EventSeal(request.key)
        marker = request.marker
        turned = request.turned
        findings = Findings(support)
        isEndless = support.function(.isEndless)
        beginTest = support.function(.beginTest)
        expectations = support.function(.expectations)
        orders = support.function(.orders)
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
