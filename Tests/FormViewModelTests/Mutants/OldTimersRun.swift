// mutant: `flatMap` instead of `switchToLatest`: the pause of an earlier email goes on, and its verdict comes while a later email is still waiting
// fails: FormViewModelTests/anEmailIsJudgedAfterAWhile()
// hint: FormViewModelTests/anEmailIsJudgedAfterAWhile() burst.flatMap
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

    private var updates: AnyCancellable?

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        // False for a new email at once, and 300 ms later what the rule says about it.
        let isEmailValid = $email
            .removeDuplicates()
            .flatMap { email in
                Just(email)
                    .delay(for: .milliseconds(300), scheduler: scheduler)
                    .map { Self.isEmail($0) }
                    .prepend(false)
            }

        updates = Publishers.CombineLatest3(isEmailValid, $password, $confirmPassword)
            .sink { [weak self] isEmailValid, password, confirmation in
                self?.show(
                    Rules(
                        isEmailValid: isEmailValid,
                        isPasswordStrong: Self.isStrong(password),
                        passwordsMatch: !password.isEmpty && password == confirmation
                    )
                )
            }
    }

    private struct Rules {
        var isEmailValid: Bool
        var isPasswordStrong: Bool
        var passwordsMatch: Bool

        var allHold: Bool { isEmailValid && isPasswordStrong && passwordsMatch }
    }

    private func show(_ rules: Rules) {
        if !rules.allHold { set(\.canSubmit, to: false) }
        set(\.isEmailValid, to: rules.isEmailValid)
        set(\.isPasswordStrong, to: rules.isPasswordStrong)
        set(\.passwordsMatch, to: rules.passwordsMatch)
        if rules.allHold { set(\.canSubmit, to: true) }
    }

    private func set(_ property: ReferenceWritableKeyPath<FormViewModel, Bool>, to value: Bool) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }

    // Given: the rules for an email and for a strong password.

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: \.isNumber)
    }
}
