// mutant: the pause is measured by the main queue and not by the given scheduler
// fails: FormViewModelTests/anEmailIsJudgedAfterAWhile()
// fails: FormViewModelTests/whatAnEmailLooksLike()
// fails: FormViewModelXCTests/testAFilledFormCanBeSent
// fails: FormViewModelTests/allThreeRulesHaveToHold()
// fails: FormViewModelTests/passwordsCountAtOnce()
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// fails: FormViewModelTests/anUnjudgedEmailCannotBeSent()
// fails: FormViewModelTests/anEmailThatComesBackCanBeSent()
// fails: FormViewModelTests/canSubmitIsPublishedOnlyWhenItChanges()
// fails: FormViewModelTests/allRulesForAnEmailCount()
// fails: FormViewModelXCTests/testADroppedFormIsReleased
// hint: FormViewModelTests/anEmailIsJudgedAfterAWhile() judged.schedule
import Combine
import Foundation

/// A form for a new account, which says whether it can be sent.
public final class FormViewModel: ObservableObject {
    @Published public var email = "" {
        didSet { if email != oldValue { emailHasChanged() } }
    }
    @Published public var password = "" {
        didSet { passwordsHaveChanged() }
    }
    @Published public var confirmPassword = "" {
        didSet { passwordsHaveChanged() }
    }

    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    @Published public private(set) var canSubmit = false

    private let afterPause: (@escaping () -> Void) -> Void
    private var isEmailWaiting = false
    private var emailVersion = 0

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        afterPause = { action in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300), execute: action)
        }
    }

    private func emailHasChanged() {
        emailVersion += 1
        isEmailWaiting = true
        update()
        afterPause { [weak self, emailVersion] in
            guard let self, self.emailVersion == emailVersion else { return }
            self.validateEmail()
        }
    }

    private func validateEmail() {
        isEmailWaiting = false
        update(isEmailValid: Self.isEmail(email))
    }

    private func passwordsHaveChanged() {
        update()
    }

    /// - Parameter newResult: What the validation of the email says, if there was one.
    private func update(isEmailValid newResult: Bool? = nil) {
        let isEmailValid = newResult ?? self.isEmailValid
        let isPasswordStrong = Self.isStrong(password)
        let passwordsMatch = password == confirmPassword && !password.isEmpty
        let canSubmit = !isEmailWaiting && isEmailValid && isPasswordStrong && passwordsMatch

        // The button is the first to be disabled and the last to be enabled.
        if !canSubmit && self.canSubmit { self.canSubmit = false }
        if isEmailValid != self.isEmailValid { self.isEmailValid = isEmailValid }
        if isPasswordStrong != self.isPasswordStrong { self.isPasswordStrong = isPasswordStrong }
        if passwordsMatch != self.passwordsMatch { self.passwordsMatch = passwordsMatch }
        if canSubmit && !self.canSubmit { self.canSubmit = true }
    }

    // Given: the rules for an email and for a strong password.

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: \.isNumber)
    }
}
