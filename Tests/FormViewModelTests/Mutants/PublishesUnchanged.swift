// mutant: the rules and canSubmit are assigned after each edit, even if they are the same as before
// fails: FormViewModelTests/canSubmitIsPublishedOnlyWhenItChanges()
// hint: FormViewModelTests/canSubmitIsPublishedOnlyWhenItChanges() publishes.assigned
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

    private var cancellables: Set<AnyCancellable> = []

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        let checkedEmail = $email
            .removeDuplicates()
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .map { Optional($0) }
            .prepend(nil)

        $email.combineLatest($password, $confirmPassword, checkedEmail)
            .map { email, password, confirmation, checked in
                Rules(
                    email: checked == email && Self.isEmail(email),
                    strong: Self.isStrong(password),
                    match: !password.isEmpty && password == confirmation
                )
            }
            .sink { [weak self] rules in self?.show(rules) }
            .store(in: &cancellables)
    }

    private struct Rules: Equatable {
        var email: Bool
        var strong: Bool
        var match: Bool

        var all: Bool { email && strong && match }
    }

    /// Closes the form before the rules change, and opens it after they have changed.
    private func show(_ rules: Rules) {
        if !rules.all { set(\.canSubmit, false) }
        set(\.isEmailValid, rules.email)
        set(\.isPasswordStrong, rules.strong)
        set(\.passwordsMatch, rules.match)
        if rules.all { set(\.canSubmit, true) }
    }

    private func set(_ property: ReferenceWritableKeyPath<FormViewModel, Bool>, _ value: Bool) {
        self[keyPath: property] = value
    }

    // Given: the rules for an email and for a strong password.

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: \.isNumber)
    }
}
