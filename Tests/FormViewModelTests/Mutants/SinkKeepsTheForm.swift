// mutant: a sink that keeps the form
// fails: FormViewModelXCTests/testADroppedFormIsReleased
// hint: FormViewModelXCTests/testADroppedFormIsReleased released
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

    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S) {
        let judgement = $email
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .map { (email: $0, isValid: Self.isEmail($0)) }
            .prepend((email: "", isValid: false))
        let passwords = $password.combineLatest($confirmPassword)

        judgement.map(\.isValid).removeDuplicates()
            .sink { self.isEmailValid = $0 }
            .store(in: &cancellables)
        $password.map(Self.isStrong).removeDuplicates().assign(to: &$isPasswordStrong)
        passwords.map(Self.match).removeDuplicates().assign(to: &$passwordsMatch)

        $email.combineLatest(judgement, passwords)
            .map { email, judgement, passwords in
                judgement.isValid && judgement.email == email
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
