// mutant: the code of the guides, with the passwords compared before their strength is judged
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// fails: FormViewModelTests/anUnjudgedEmailCannotBeSent()
// fails: FormViewModelTests/canSubmitIsPublishedOnlyWhenItChanges()
// fails: FormViewModelTests/allRulesForAnEmailCount()
// hint: FormViewModelTests/aWrongFormCanAtNoMomentBeSent() moment
import Combine
import Foundation

public final class FormViewModel: ObservableObject {
    @Published public var email = ""
    @Published public var password = ""
    @Published public var confirmPassword = ""

    // Derived states computed via Combine
    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    @Published public private(set) var canSubmit = false

    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S) {
        setupValidation(scheduler)
    }

    private func setupValidation<S: Scheduler>(_ scheduler: S) {
        // Email validation with debounce
        $email
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .map { email in
                let regex = #/^[\w\-\.]+@([\w-]+\.)+[\w-]{2,4}$/#
                return email.wholeMatch(of: regex) != nil
            }
            .assign(to: &$isEmailValid)

        // Password matching
        Publishers.CombineLatest($password, $confirmPassword)
            .map { password, confirm in
                !password.isEmpty && password == confirm
            }
            .assign(to: &$passwordsMatch)

        // Password strength validation
        $password
            .map { password in
                password.count >= 8 && password.rangeOfCharacter(from: .uppercaseLetters) != nil
                    && password.rangeOfCharacter(from: .decimalDigits) != nil
            }
            .assign(to: &$isPasswordStrong)

        // Final combination to enable submit button
        Publishers.CombineLatest3($isEmailValid, $isPasswordStrong, $passwordsMatch)
            .map { $0 && $1 && $2 }
            .assign(to: &$canSubmit)
    }
}
