import Foundation

/// A continuation that is never resumed hangs its test, and with it all the tests behind it, without a word about why.
///
/// `withDeadline` waits for work of the learner's and gives it up when it can no longer end: the failure then says which
/// wait it was. The work is abandoned, not awaited: it may never come back.
///
///     let value = try await KataSupport.withDeadline { await subject.firstValue }
///
/// - Parameter expectation: What is waited for.
public func withDeadline<Success: Sendable>(
    for expectation: Expectation = .event, _ operation: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    TaskQueue.shared.begin()
    let outcome = Observed<Result<Success, any Error>?>(nil)
    let work = Task {
        let result: Result<Success, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        outcome.update { $0 = result }
    }
    do {
        _ = try await outcome.until(for: expectation) { $0 != nil }
    } catch {
        // What the learner's code does when it is cancelled may block its thread.
        Thread.detachNewThread { work.cancel() }
        throw error
    }
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
}

/// What a wait is for.
public enum Expectation: String, Sendable {
    case event = "deadline"
    /// That operations are cancelled.
    case cancellation = "notCancelled"
    /// That subscriptions to a publisher are cancelled.
    case upstream = "upstreamNotCancelled"
    case release = "leaked"
}

/// A wait for something that did not happen.
public struct DeadlineExceeded: FindingError {
    public var expectation: Expectation
    public var end: WaitEnd
    /// What had happened until then, as the suite shows it; nil where there is nothing to show.
    public var arrived: String?

    public init(_ expectation: Expectation = .event, end: WaitEnd = .nothingLeftToRun, arrived: String? = nil) {
        self.expectation = expectation
        self.end = end
        self.arrived = arrived
    }

    public var finding: Finding {
        if end == .noThreadLeft, expectation != .release {
            return Finding(key: "noThreadLeft", arguments: [], kind: .blocked)
        }
        // Only the text with a count says what was not cancelled.
        let expected = expectation == .upstream && arrived?.isEmpty != false ? .cancellation : expectation
        let key = end == .stillRunning ? "stillRunning" : expected.rawValue
        let isMissing = expectation != .release && arrived.map { !Self.isNothing($0) } ?? false
        let kind: Finding.Kind = end == .stillRunning ? .stillRunning : isMissing ? .missing : .nothing
        guard let arrived, !arrived.isEmpty else { return Finding(key: key, arguments: [], kind: kind) }
        return Finding(key: "\(key)Arrived", arguments: [arrived], kind: kind)
    }

    private static func isNothing(_ arrived: String) -> Bool { arrived.isEmpty || arrived.hasPrefix("0/") }

    public var prose: String {
        let what =
            switch expectation {
            case .event: "Expected this to happen, but it did not"
            case .cancellation: "Expected the work to be cancelled, but it was not"
            case .upstream: "Expected the subscription to be cancelled, but it was not"
            case .release: "Expected nothing to be kept in memory, but something still was"
            }
        let why =
            switch end {
            case .nothingLeftToRun: ", and nothing is left to run that could change that."
            case .noThreadLeft:
                ", and code that waits keeps all threads of a global dispatch queue, so that nothing else runs there."
            case .stillRunning: ", and the code was still running when the wait was given up."
            }
        guard let arrived, !arrived.isEmpty else { return what + why }
        return what + why + " Until then: \(arrived)."
    }
}
