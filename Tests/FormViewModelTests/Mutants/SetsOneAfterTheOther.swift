// mutant: sets a rule and then looks at the others
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// hint: FormViewModelTests/aWrongFormCanAtNoMomentBeSent() moment.assigned
import Combine
import Foundation

public final class FormViewModel: ObservableObject {
    @Published public var email = "" {
        didSet { emailChanged() }
    }
    @Published public var password = "" {
        didSet { update() }
    }
    @Published public var confirmPassword = "" {
        didSet { update() }
    }

    @Published public private(set) var isEmailValid = false
    @Published public private(set) var isPasswordStrong = false
    @Published public private(set) var passwordsMatch = false
    @Published public private(set) var canSubmit = false

    private let afterAWhile: (@escaping () -> Void) -> Void
    private var changes = 0
    private var isJudged = false

    public init<S: Scheduler>(scheduler: S) {
        afterAWhile = { action in
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(300)), action)
        }
    }

    private func emailChanged() {
        changes += 1
        let change = changes
        isJudged = false
        update()
        afterAWhile { [weak self] in
            guard let self, change == self.changes else { return }
            self.isJudged = true
            self.update()
        }
    }

    private func update() {
        if isJudged {
            set(\.isEmailValid, email.wholeMatch(of: #/[\w.+\-]+@([\w\-]+\.)+[\w\-]{2,}/#) != nil)
        }
        set(
            \.isPasswordStrong,
            password.count >= 8 && password.contains(where: \.isUppercase) && password.contains(where: \.isNumber))
        set(\.canSubmit, isJudged && isEmailValid && isPasswordStrong && passwordsMatch)
        set(\.passwordsMatch, !password.isEmpty && password == confirmPassword)
        set(\.canSubmit, isJudged && isEmailValid && isPasswordStrong && passwordsMatch)
    }

    private func set(_ property: ReferenceWritableKeyPath<FormViewModel, Bool>, _ value: Bool) {
        if self[keyPath: property] != value { self[keyPath: property] = value }
    }
}
