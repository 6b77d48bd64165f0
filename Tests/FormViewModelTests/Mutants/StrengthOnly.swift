// mutant: only the strength of the password is there yet
// fails: FormViewModelTests/passwordsMatchWhenTheyAreEqual()
// fails: FormViewModelTests/anEmailIsJudgedAfterAWhile()
// fails: FormViewModelTests/whatAnEmailLooksLike()
// fails: FormViewModelXCTests/testAFilledFormCanBeSent
// fails: FormViewModelTests/allThreeRulesHaveToHold()
// fails: FormViewModelTests/passwordsCountAtOnce()
// fails: FormViewModelTests/aWrongFormCanAtNoMomentBeSent()
// fails: FormViewModelTests/anUnjudgedEmailCannotBeSent()
// fails: FormViewModelTests/anEmailThatComesBackCanBeSent()
// fails: FormViewModelTests/canSubmitIsPublishedOnlyWhenItChanges()
// fails: FormViewModelTests/allRulesForAnEmailCount()
// fails: FormViewModelXCTests/testADroppedFormIsReleased
// hint: FormViewModelTests/passwordsMatchWhenTheyAreEqual() match.nothing
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

    public init<S: Scheduler>(scheduler: S) {
        $password.map(Self.isStrong).removeDuplicates().assign(to: &$isPasswordStrong)
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
