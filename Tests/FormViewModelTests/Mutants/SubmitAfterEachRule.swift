// mutant: canSubmit is computed from the properties after each single rule, so that it sees one new and one old rule
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// hint: FormViewModelTests/aWrongFormCanAtNoMomentBeSent() moment.assigned
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
            .removeDuplicates()
            .sink { [weak self] rules in self?.show(rules) }
            .store(in: &cancellables)
    }

    private struct Rules: Equatable {
        var email: Bool
        var strong: Bool
        var match: Bool
    }

    private func show(_ rules: Rules) {
        set(\.isEmailValid, rules.email)
        updateSubmit()
        set(\.isPasswordStrong, rules.strong)
        updateSubmit()
        set(\.passwordsMatch, rules.match)
        updateSubmit()
    }

    private func updateSubmit() {
        set(\.canSubmit, isEmailValid && isPasswordStrong && passwordsMatch)
    }

    private func set(_ property: ReferenceWritableKeyPath<FormViewModel, Bool>, _ value: Bool) {
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
