import Combine
import Foundation

/// A form for a new account, which says whether it can be sent.
public final class FormViewModel: ObservableObject {
    @Published public var email = ""
    @Published public var password = ""
    @Published public var confirmPassword = ""

    /// What was found out about the email when it was last validated: when it had not changed for 300 ms.
    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    /// Whether all of what is in the fields now is known to be right.
    @Published public private(set) var canSubmit = false

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        let validation =
            $email
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .map { (email: $0, isValid: Self.isEmail($0)) }
            .prepend((email: "", isValid: false))
        let passwords = $password.combineLatest($confirmPassword)

        validation.map(\.isValid).removeDuplicates().assign(to: &$isEmailValid)
        $password.map(Self.isStrong).removeDuplicates().assign(to: &$isPasswordStrong)
        passwords.map(Self.match).removeDuplicates().assign(to: &$passwordsMatch)

        // From the fields and not from the three rules: one edit changes two rules one after the other, and between them
        // they are true of no form at all. The validation counts only for the email that it was made of.
        $email.combineLatest(validation, passwords)
            .map { email, validation, passwords in
                validation.isValid && validation.email == email
                    && Self.isStrong(passwords.0) && Self.match(passwords.0, passwords.1)
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
