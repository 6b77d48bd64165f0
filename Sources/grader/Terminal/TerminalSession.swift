import Dispatch
import Foundation

/// A person at the terminal with a screen in front of them: what happens there, one thing after the other, until it is over.
///
/// Resizing, Ctrl-Z, Ctrl-C and a lost terminal are answered here; the terminal is left as it was found.
@MainActor
final class TerminalSession<Event: Sendable> {
    /// What happened.
    enum Input: Sendable {
        case event(Event)
        case key(Key)
        /// All keys that had arrived have been reported.
        case keysRead
        case resized(Terminal.Size)
        /// The program was stopped and goes on.
        case resumed
    }

    private enum RawInput: Sendable {
        case event(Event)
        case bytes([UInt8])
        case signal(Int32)
        /// The terminal is gone.
        case lost
    }

    private let terminal = Terminal()
    private let inputs: AsyncStream<RawInput>
    private let feed: AsyncStream<RawInput>.Continuation
    private var keys = KeyDecoder()
    private var shown: [String] = []
    /// Between Ctrl-Z and the shell's `fg` the terminal belongs to the shell.
    private var isSuspended = false
    private var keyboard: (any DispatchSourceRead)?

    init() {
        (inputs, feed) = AsyncStream.makeStream()
    }

    var size: Terminal.Size { terminal.size }

    /// Tells of an event from wherever it happens.
    var tell: @Sendable (Event) -> Void {
        let feed = feed
        return { feed.yield(.event($0)) }
    }

    /// Begins with an event and goes on until an answer is no, or the terminal is gone. False when there is no terminal.
    ///
    /// - Parameter takesText: whether letters are meant as they were typed.
    func run(
        _ first: Event, takesText: () -> Bool = { false }, lines: () -> [String], answer: (Input) -> Bool
    ) async -> Bool {
        guard terminal.take() else { return false }
        // The person has the terminal back while what was started is ended.
        defer { terminal.leave() }
        let feed = feed
        let signals = Signals(Signals.ofTerminal) { feed.yield(.signal($0)) }
        let keyboard = Self.listen(feed)
        self.keyboard = keyboard
        defer {
            keyboard.cancel()
            self.keyboard = nil
            withExtendedLifetime(signals) {}
        }
        feed.yield(.event(first))
        for await input in inputs {
            guard take(input, takesText, answer) else { break }
            guard show(lines()) else { break }
        }
        return true
    }

    /// Shows lines before what they tell of is begun. False when the terminal is gone.
    @discardableResult
    func show(_ lines: [String]) -> Bool {
        if isSuspended { return true }
        guard lines != shown else { return true }
        shown = lines
        return terminal.show(lines)
    }

    /// Lends the terminal to a program until the work is done.
    func lend(_ work: () -> Void) {
        keyboard?.suspend()
        terminal.leave()
        work()
        terminal.take()
        shown = []
        keyboard?.resume()
    }

    /// What arrives, arrives on a thread of its own.
    private nonisolated static func listen(
        _ feed: AsyncStream<RawInput>.Continuation
    ) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global(qos: .userInteractive))
        source.setEventHandler(
            handler: DispatchWorkItem {
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count > 0 {
                    feed.yield(.bytes(Array(bytes.prefix(count))))
                } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                    feed.yield(.lost)
                }
            })
        source.activate()
        return source
    }

    /// False when the sitting is over.
    private func take(_ input: RawInput, _ takesText: () -> Bool, _ answer: (Input) -> Bool) -> Bool {
        switch input {
        case .event(let event): return answer(.event(event))
        case .bytes(let bytes):
            keys.take(bytes)
            while let key = keys.next(asText: takesText()) {
                guard answer(.key(key)) else { return false }
            }
            return answer(.keysRead)
        case .signal(SIGWINCH): return answer(.resized(terminal.size))
        case .signal(SIGTSTP):
            // The stop takes effect on all threads a little later than the call returns: what goes on is the signal to.
            isSuspended = true
            terminal.leave()
            kill(getpid(), SIGSTOP)
            return true
        case .signal(SIGCONT):
            isSuspended = false
            shown = []
            terminal.take()
            return answer(.resized(terminal.size)) && answer(.resumed)
        case .signal, .lost: return false
        }
    }
}
