import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The signals that a program answers itself, as a stream of values. Only one part of the program does so at a time.
///
/// The handler does the one thing that is safe in it: it writes the signal's number into a pipe.
final class Signals {
    /// Those that a program on a terminal has to answer.
    static let ofTerminal = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]

    /// Those that end the program, without those that it was started to ignore, as `nohup` does.
    static var ending: [Int32] {
        [SIGINT, SIGTERM, SIGHUP].filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
            #else
            let handler = action.__sigaction_u.__sa_handler
            #endif
            return unsafeBitCast(handler, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self)
        }
    }

    private let answered: [Int32]
    private let source: any DispatchSourceRead
    private let reading: Int32

    /// Tells of each signal until it is let go.
    init?(_ answered: [Int32], _ tell: @escaping @Sendable (Int32) -> Void) {
        self.answered = answered
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        reading = ends[0]
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        signalPipe = ends[1]
        // The parent process may have blocked signals, and a person has to be able to stop the program.
        var held = sigset_t()
        sigemptyset(&held)
        for signal in answered { sigaddset(&held, signal) }
        pthread_sigmask(SIG_UNBLOCK, &held, nil)
        for signal in answered {
            var action = sigaction()
            action.sa_flags = SA_RESTART
            #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = writeSignal
            #else
            action.__sigaction_u.__sa_handler = writeSignal
            #endif
            sigaction(signal, &action, nil)
        }
        let descriptor = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global(qos: .userInteractive))
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(descriptor, &bytes, bytes.count)
            for byte in bytes.prefix(max(0, count)) { tell(Int32(byte)) }
        }
        source.resume()
    }

    deinit {
        for signal in answered {
            var action = sigaction()
            #if canImport(Glibc)
            action.__sigaction_handler.sa_handler = SIG_DFL
            #else
            action.__sigaction_u.__sa_handler = SIG_DFL
            #endif
            sigaction(signal, &action, nil)
        }
        source.cancel()
        close(signalPipe)
        close(reading)
    }
}

/// The end of the pipe that the handler writes into. It is set before the first handler is, and a handler may touch no
/// lock, so it cannot be more than a plain number.
nonisolated(unsafe) private var signalPipe: Int32 = -1

private func writeSignal(_ signal: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(signalPipe, &byte, 1)
    errno = saved
}
