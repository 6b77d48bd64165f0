// mutant: a change of a password judges the email that waits
// fails: FormViewModelTests/anUnjudgedEmailCannotBeSent()
// hint: FormViewModelTests/anUnjudgedEmailCannotBeSent() edit
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

    private var judgedEmail = ""
    private var cancellables: Set<AnyCancellable> = []

    public init<S: Scheduler>(scheduler: S) {
        $email
            .sink { [weak self] email in
                guard let self, email != judgedEmail else { return }
                if canSubmit { canSubmit = false }
            }
            .store(in: &cancellables)
        $email
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .sink { [weak self] email in
                guard let self else { return }
                judgedEmail = email
                let valid = Self.isEmail(email)
                if valid != isEmailValid { isEmailValid = valid }
                decide(password, confirmPassword)
            }
            .store(in: &cancellables)
        $password.combineLatest($confirmPassword)
            .sink { [weak self] in self?.decide($0, $1) }
            .store(in: &cancellables)
    }

    private func decide(_ password: String, _ confirmation: String) {
        let strong = Self.isStrong(password)
        if strong != isPasswordStrong { isPasswordStrong = strong }
        let match = Self.match(password, confirmation)
        if match != passwordsMatch { passwordsMatch = match }
        let all = Self.isEmail(email) && strong && match
        if all != canSubmit { canSubmit = all }
    }

    private static func isEmail(_ text: String) -> Bool {
        text.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil
    }

    private static func isStrong(_ text: String) -> Bool {
        text.count >= 8 && text.contains(where: \.isUppercase) && text.contains(where: \.isNumber)
    }

    private static func match(_ one: String, _ other: String) -> Bool {
        !one.isEmpty && one == other
    }
}
