// mutant: canSubmit is not computed again when the confirmation changes
// fails: FormViewModelTests/allThreeRulesHaveToHold()
// fails: FormViewModelTests/passwordsCountAtOnce()
// hint: FormViewModelTests/allThreeRulesHaveToHold() all.notAgain
import Combine
import Foundation

/// A form for a new account, which says whether it can be sent.
public final class FormViewModel: ObservableObject {
    @Published public var email = ""
    @Published public var password = ""
    @Published public var confirmPassword = ""

    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    @Published public private(set) var canSubmit = false

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        let judged = $email
            .map { email in
                Just(Self.isEmail(email))
                    .delay(for: .milliseconds(300), scheduler: scheduler)
                    .prepend(false)
            }
            .switchToLatest()

        judged.removeDuplicates().assign(to: &$isEmailValid)

        $password.map(Self.isStrong)
            .removeDuplicates()
            .assign(to: &$isPasswordStrong)

        $password.combineLatest($confirmPassword)
            .map { !$0.isEmpty && $0 == $1 }
            .removeDuplicates()
            .assign(to: &$passwordsMatch)

        $password.combineLatest(judged)
            .map { [weak self] password, isEmail in
                isEmail && Self.isStrong(password) && password == self?.confirmPassword
            }
            .removeDuplicates()
            .assign(to: &$canSubmit)
    }

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Za-z0-9._+\-]+@([A-Za-z0-9_\-]+\.)+[A-Za-z0-9_\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: { ("0"..."9").contains($0) })
    }
}
