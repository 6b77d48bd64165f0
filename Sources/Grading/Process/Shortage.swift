import Foundation
import Workbook

/// The machine has no room for one more process or thread just now: another submission may have started thousands of them.
///
/// It has room again when that one has ended. So this is waited for, and says nothing about any submission.
enum Shortage {
    /// No submission runs for longer.
    static let longest = Duration.seconds(60)

    /// Whether all that was printed is one line of a program that could not start another one.
    static func isTold(in text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return !text.contains(where: \.isNewline) && text.hasSuffix(errorText(EAGAIN))
    }

    /// Does work again while the machine has no room for it.
    static func wait<Value, Failure: Error>(
        for work: () async throws(Failure) -> Value, while isShort: (Failure) -> Bool
    ) async throws(Failure) -> Value {
        let end = ContinuousClock.now + longest
        while true {
            do throws(Failure) {
                return try await work()
            } catch {
                guard isShort(error), ContinuousClock.now < end, !Task.isCancelled else { throw error }
                // Nothing says when there is room.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }
}

extension GradingError {
    /// Whether it only says that the machine had no room.
    var isShortage: Bool { message.key == .programFailed && Shortage.isTold(in: message.arguments.last ?? "") }
}
