// mutant: blanks around the passwords do not count when they are compared
// fails: FormViewModelTests/passwordsMatchWhenTheyAreEqual()
// hint: FormViewModelTests/passwordsMatchWhenTheyAreEqual() almost
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

    private var judged: AnyCancellable?
    private var edits: AnyCancellable?
    private var isEmailPending = false

    public init<S: Scheduler>(scheduler: S) {
        edits = $email.dropFirst().map { _ in () }
            .sink { [weak self] in self?.emailChanges() }
        judged = $email.dropFirst()
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .sink { [weak self] in self?.judge($0) }
        passwords = $password.combineLatest($confirmPassword).dropFirst()
            .sink { [weak self] in self?.passwordsChange($0, $1) }
    }

    private var passwords: AnyCancellable?

    private func emailChanges() {
        isEmailPending = true
        set(\.canSubmit, false)
    }

    private func judge(_ email: String) {
        isEmailPending = false
        set(\.isEmailValid, isEmail(email))
        set(\.canSubmit, isEmailValid && isPasswordStrong && passwordsMatch)
    }

    private func passwordsChange(_ password: String, _ confirmation: String) {
        let strong = isStrong(password)
        let match = isMatch(password, confirmation)
        set(\.isPasswordStrong, strong)
        set(\.passwordsMatch, match)
        set(\.canSubmit, !isEmailPending && isEmailValid && strong && match)
    }

    private func set(_ property: ReferenceWritableKeyPath<FormViewModel, Bool>, _ value: Bool) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}

private func isEmail(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z0-9._\-+]+@(?:[A-Za-z0-9_\-]+\.)+[A-Za-z0-9_\-]{2,}/#) != nil
}

private func isStrong(_ password: String) -> Bool {
    password.count >= 8 && password.contains { $0.isUppercase } && password.contains { $0.isNumber }
}

private func isMatch(_ password: String, _ confirmation: String) -> Bool {
    let blanks = CharacterSet.whitespaces
    return !password.isEmpty && password.trimmingCharacters(in: blanks) == confirmation.trimmingCharacters(in: blanks)
}
