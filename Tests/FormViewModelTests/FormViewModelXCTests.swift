import FormViewModel
import KataSupport
import XCTest

final class FormViewModelXCTests: XCTestCase {
    let scheduler = KataSupport.TestScheduler()

    func testAFilledFormCanBeSent() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let form = FormViewModel(scheduler: scheduler)
        scheduler.advance(by: .milliseconds(300))
        try KataSupport.expect(whatHolds(form), equals: [])
        form.email = entries.emails[0]
        form.password = entries.strong[0]
        form.confirmPassword = entries.strong[0]
        scheduler.advance(by: .milliseconds(300))
        try KataSupport.expect(
            whatHolds(form), equals: ["isEmailValid", "isPasswordStrong", "passwordsMatch", "canSubmit"])
    }

    func testADroppedFormIsReleased() async throws {
        await KataSupport.settle()
        let entries = Entries()
        weak var released: FormViewModel?
        func useAndDrop() throws {
            let form = FormViewModel(scheduler: scheduler)
            released = form
            form.email = entries.emails[0]
            form.password = entries.strong[0]
            form.confirmPassword = entries.strong[0]
            scheduler.advance(by: .milliseconds(300))
            try KataSupport.expect(form.canSubmit, equals: true)
        }
        try useAndDrop()
        try await KataSupport.expectReleased { released }
        try await KataSupport.inCase("waiting") { try await expectReleaseWhileAnEmailWaits() }
    }

    /// Also while an email waits.
    private func expectReleaseWhileAnEmailWaits() async throws {
        await KataSupport.settle()
        let entries = Entries()
        weak var released: FormViewModel?
        func useAndDrop() throws {
            let form = FormViewModel(scheduler: scheduler)
            released = form
            form.email = entries.emails[0]
            form.password = entries.strong[0]
            form.confirmPassword = entries.strong[0]
            scheduler.advance(by: .milliseconds(300))
            try KataSupport.expect(form.canSubmit, equals: true)
            form.email = entries.emails[1]
            scheduler.advance(by: .milliseconds(100))
        }
        try useAndDrop()
        try await KataSupport.expectReleased { released }
        // Nobody is there to be told, and nothing crashes.
        scheduler.advance(by: .milliseconds(300))
    }
}
