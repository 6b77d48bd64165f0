import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// A headless Chromium, driven over its DevTools pipe: JSON with a NUL behind each message, on the descriptors 3 and 4.
///
/// It takes longer to start than to show a page, so it serves one test after another.
///
/// Unchecked: at any moment it belongs to one test, or to the list of those that no test uses.
final class Browser: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The page's complaints: uncaught errors, refused content, `console.error`.
    private(set) var complaints: [String] = []
    /// Everything that the page asked a server or the disk for.
    private(set) var requests: [String] = []
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let profile: URL
    private var session: String?
    private var received: [UInt8] = []
    private var lastID = 0

    init() throws {
        let program = try #require(Need.chromium.path)
        profile = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
        let toBrowser = try Self.pipe()
        let fromBrowser = try Self.pipe()
        (input, output) = (toBrowser.write, fromBrowser.read)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, toBrowser.read, 3)
        posix_spawn_file_actions_adddup2(&actions, fromBrowser.write, 4)
        // It lives longer than other tests' programs. Their end is noticed when every process has closed their sockets.
        for descriptor in 5..<min(Int32(sysconf(Int32(_SC_OPEN_MAX))), 4096) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        let words = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir=\(profile.path)",
            "--window-size=1280,1000", "about:blank",
        ]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let environment: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, &actions, nil, arguments, environment)
        close(toBrowser.read)
        close(fromBrowser.write)
        self.process = process
        guard error == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(error)))") }

        let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"] as? String ?? ""
        session = try call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
        for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
    }

    deinit {
        close(input)
        close(output)
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try? FileManager.default.removeItem(at: profile)
    }

    // MARK: One test's page

    /// Those that no test uses now. The last test leaves them running: they are stopped when the process ends.
    private static let idle: Mutex<[Browser]> = {
        atexit { Browser.idle.withLock { $0.removeAll() } }
        return Mutex([])
    }()

    /// As many browsers as processors run at a time.
    private static let places = DispatchSemaphore(value: ProcessInfo.processInfo.activeProcessorCount)

    /// Gives a page to work with. When the work is done, the browser is kept for the next test. A browser with which
    /// something went wrong is not used again.
    static func withPage<Result>(_ body: (Browser) throws -> Result) throws -> Result {
        places.wait()
        defer { places.signal() }
        let browser = try idle.withLock { $0.popLast() } ?? Browser()
        let result = try body(browser)
        try browser.clear()
        idle.withLock { $0.append(browser) }
        return result
    }

    /// An empty page, shown as on a screen in a light room.
    private func clear() throws {
        try call("Emulation.setEmulatedMedia", ["media": "", "features": [[String: String]]()])
        try call("Emulation.clearDeviceMetricsOverride")
        try navigate(to: "about:blank")
        complaints = []
        requests = []
    }

    /// Shows a page of ours, and checks that it has no complaints, requests nothing, and runs no code from its data.
    static func show(_ file: URL, fragment: String = "", _ body: (Browser) throws -> Void) throws {
        try withPage { browser in
            try browser.open(file, fragment: fragment)
            try body(browser)
            #expect(browser.complaints.isEmpty, "\(browser.complaints)")
            // The page itself, and no other request.
            #expect(browser.requests.allSatisfy { $0.hasPrefix(file.absoluteString) }, "\(browser.requests)")
            #expect(try browser.text("typeof window.pwned") == "undefined")
        }
    }

    /// Opens a file and returns once the page has loaded.
    func open(_ file: URL, fragment: String = "") throws {
        try navigate(to: file.absoluteString + fragment)
    }

    private func navigate(to address: String) throws {
        try call("Page.navigate", ["url": address])
        while true {
            let message = try receive()
            if message["method"] as? String == "Page.loadEventFired" { return }
        }
    }

    /// The value of an expression in the page, awaited if it is a promise.
    @discardableResult
    func value(_ expression: String) throws -> Any? {
        let reply = try call(
            "Runtime.evaluate",
            ["expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true])
        if let exception = reply["exceptionDetails"] as? [String: Any] {
            throw Failure(description: "\(expression): \(exception)")
        }
        return (reply["result"] as? [String: Any])?["value"]
    }

    func text(_ expression: String) throws -> String? { try value(expression) as? String }

    func strings(_ expression: String) throws -> [String] { try value(expression) as? [String] ?? [] }

    func number(_ expression: String) throws -> Int? { try value(expression) as? Int }

    /// Presses and releases a key, as a person would.
    func press(_ key: String, text: String? = nil) throws {
        var down: [String: Any] = ["type": "keyDown", "key": key]
        down["text"] = text
        try call("Input.dispatchKeyEvent", down)
        try call("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
    }

    func prefer(dark: Bool) throws {
        let feature = ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"]
        try call("Emulation.setEmulatedMedia", ["features": [feature]])
    }

    /// A window of another size, until the next page.
    func resize(width: Int, height: Int) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    func print() throws -> Data {
        let reply = try call("Page.printToPDF", ["printBackground": true, "landscape": false])
        return Data(base64Encoded: reply["data"] as? String ?? "") ?? Data()
    }

    /// What a page looks like on paper, or on a screen again.
    func emulate(print: Bool) throws {
        try call("Emulation.setEmulatedMedia", ["media": print ? "print" : ""])
    }

    /// Saves a picture of the page, for a person to look at, if `PAGE_SCREENSHOTS` names a folder.
    func keepPicture(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["PAGE_SCREENSHOTS"] else { return }
        try screenshot().write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
    }

    private func screenshot() throws -> Data {
        let reply = try call("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        return Data(base64Encoded: reply["data"] as? String ?? "") ?? Data()
    }

    // MARK: The pipe

    @discardableResult
    private func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        var bytes = [UInt8](try JSONSerialization.data(withJSONObject: message)) + [0]
        while !bytes.isEmpty {
            let count = write(input, bytes, bytes.count)
            guard count > 0 else { throw Failure(description: "the browser went away") }
            bytes.removeFirst(count)
        }
        while true {
            let reply = try receive()
            guard reply["id"] as? Int == lastID else { continue }
            if let error = reply["error"] { throw Failure(description: "\(method): \(error)") }
            return reply["result"] as? [String: Any] ?? [:]
        }
    }

    private func receive() throws -> [String: Any] {
        while true {
            if let end = received.firstIndex(of: 0) {
                let data = Data(received[..<end])
                received.removeFirst(end + 1)
                let message = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
                note(message)
                return message
            }
            var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            // Even on a busy machine, only a browser that hangs is silent for so long.
            guard poll(&polled, 1, 600_000) > 0 else {
                throw Failure(description: "the browser said nothing for ten minutes")
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "the browser went away") }
            received += buffer[..<count]
        }
    }

    private func note(_ message: [String: Any]) {
        let parameters = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Runtime.exceptionThrown":
            complaints.append("\((parameters["exceptionDetails"] as? [String: Any])?["exception"] ?? "")")
        case "Log.entryAdded": complaints.append("\(parameters["entry"] ?? "")")
        case "Runtime.consoleAPICalled": complaints.append("\(parameters["args"] ?? "")")
        case "Network.requestWillBeSent":
            requests.append((parameters["request"] as? [String: Any])?["url"] as? String ?? "")
        default: break
        }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failure(description: String(cString: strerror(errno))) }
        // Above the child's own descriptors, so that none replaces another one.
        let raised = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 16) }
        ends.forEach { _ = close($0) }
        return (raised[0], raised[1])
    }
}
