// mutant: the email stops waiting before its new verdict is there
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// hint: FormViewModelTests/aWrongFormCanAtNoMomentBeSent() judgement
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

    private var subscriptions: Set<AnyCancellable> = []
    /// Whether the email has changed and is not judged yet.
    private var isEmailWaiting = false

    /// - Parameter scheduler: Whose time counts.
    public init<S: Scheduler>(scheduler: S) {
        $password
            .combineLatest($confirmPassword)
            .sink { [weak self] in self?.judge(password: $0, confirmation: $1) }
            .store(in: &subscriptions)
        $email
            .dropFirst()
            .sink { [weak self] _ in
                self?.isEmailWaiting = true
                self?.update()
            }
            .store(in: &subscriptions)
        $email
            .dropFirst()
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .sink { [weak self] in self?.judge(email: $0) }
            .store(in: &subscriptions)
    }

    private func judge(password: String, confirmation: String) {
        set(\.isPasswordStrong, Self.isStrong(password))
        set(\.passwordsMatch, !password.isEmpty && password == confirmation)
        update()
    }

    private func judge(email: String) {
        isEmailWaiting = false
        update()
        set(\.isEmailValid, Self.isValid(email))
        update()
    }

    private func update() {
        set(\.canSubmit, !isEmailWaiting && isEmailValid && isPasswordStrong && passwordsMatch)
    }

    private func set(_ rule: ReferenceWritableKeyPath<FormViewModel, Bool>, _ holds: Bool) {
        if self[keyPath: rule] != holds {
            self[keyPath: rule] = holds
        }
    }

    private static func isValid(_ email: String) -> Bool {
        email.wholeMatch(of: #/[A-Za-z0-9._+\-]+@(?:[A-Za-z0-9_\-]+\.)+[A-Za-z0-9_\-]{2,}/#) != nil
    }

    private static func isStrong(_ password: String) -> Bool {
        password.count >= 8
            && password.contains(where: \.isUppercase)
            && password.contains { ("0"..."9").contains($0) }
    }
}
