// right: a change makes the email invalid immediately, and its result is delayed; `switchToLatest` drops older delays
import Combine
import Foundation

public final class FormViewModel: ObservableObject {
    @Published public var email = ""
    @Published public var password = ""
    @Published public var confirmPassword = ""

    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    @Published public private(set) var canSubmit = false

    public init<S: Scheduler>(scheduler: S) {
        let isValid =
            $email
            .map { email in
                Just(Self.isEmail(email)).delay(for: .milliseconds(300), scheduler: scheduler).prepend(false)
            }
            .switchToLatest()
            .removeDuplicates()
        let passwords = $password.combineLatest($confirmPassword)

        isValid.assign(to: &$isEmailValid)
        $password.map(Self.isStrong).removeDuplicates().assign(to: &$isPasswordStrong)
        passwords.map(Self.match).removeDuplicates().assign(to: &$passwordsMatch)

        isValid.combineLatest(passwords)
            .map { isValid, passwords in
                isValid && Self.isStrong(passwords.0) && Self.match(passwords.0, passwords.1)
            }
            .removeDuplicates()
            .assign(to: &$canSubmit)
    }

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: \.isNumber)
    }

    private static func match(_ password: String, _ confirmation: String) -> Bool {
        !password.isEmpty && password == confirmation
    }
}
