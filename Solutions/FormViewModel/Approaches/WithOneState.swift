// right: one sink works out all four properties from the fields, and sets those that differ
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

    private var subscription: AnyCancellable?

    public init<S: Scheduler>(scheduler: S) {
        let judged = $email.debounce(for: .milliseconds(300), scheduler: scheduler).prepend("")
        subscription = $email.combineLatest(judged, $password, $confirmPassword)
            .sink { [weak self] in self?.update(email: $0, judged: $1, password: $2, confirmation: $3) }
    }

    private func update(email: String, judged: String, password: String, confirmation: String) {
        let isValid = judged.wholeMatch(of: #/[A-Za-z0-9._+\-]+@([A-Za-z0-9_\-]+\.)+[A-Za-z0-9_\-]{2,}/#) != nil
        let isStrong =
            password.count >= 8 && password.rangeOfCharacter(from: .uppercaseLetters) != nil
            && password.rangeOfCharacter(from: .decimalDigits) != nil
        let match = !password.isEmpty && password == confirmation
        let canSubmit = isValid && judged == email && isStrong && match

        if isEmailValid != isValid { isEmailValid = isValid }
        if isPasswordStrong != isStrong { isPasswordStrong = isStrong }
        if passwordsMatch != match { passwordsMatch = match }
        if self.canSubmit != canSubmit { self.canSubmit = canSubmit }
    }
}
