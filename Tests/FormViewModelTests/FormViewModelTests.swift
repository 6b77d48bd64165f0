import Combine
import FormViewModel
import KataSupport
import Testing

/// What a learner does not know: another form for each seed.
struct Entries {
    /// Two emails, and what is not one.
    let emails: [String]
    let noEmail: String
    /// Two strong passwords, and two that are not.
    let strong: [String]
    let weak: [String]

    init(for test: String = #function) {
        var values = KataSupport.Values(for: test)
        let names = values.labels(2)
        let words = values.strings(4)
        emails = ["\(names[0])@\(names[1]).com", "\(names[1])@\(names[0]).org"]
        noEmail = "\(names[0]) at \(names[1])"
        strong = words[..<2].map { "\($0.capitalized)-\(values.integer())-\(words[2])" }
        weak = Array(words[2...])
    }
}

/// The names of the properties that are true.
func whatHolds(_ form: FormViewModel) -> [String] {
    [
        ("isEmailValid", form.isEmailValid), ("isPasswordStrong", form.isPasswordStrong),
        ("passwordsMatch", form.passwordsMatch), ("canSubmit", form.canSubmit),
    ].filter(\.1).map(\.0)
}

@Suite(.ownProcess) struct FormViewModelTests {
    let scheduler = KataSupport.TestScheduler()
    let form: FormViewModel

    init() {
        form = FormViewModel(scheduler: scheduler)
    }

    /// Fills the form in and waits until the email is judged.
    func fill(email: String, password: String) {
        form.email = email
        form.password = password
        form.confirmPassword = password
        scheduler.advance(by: .milliseconds(300))
    }

    /// Records what a property publishes, from now on.
    func record<Value>(
        _ publisher: Published<Value>.Publisher, as name: String = "", in log: KataSupport.Log<String>
    ) -> AnyCancellable {
        publisher.sink { log.record(name.isEmpty ? "\($0)" : "\(name) \($0)") }
    }

    // MARK: - Passwords

    @Test func aPasswordIsJudgedAtOnce() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let word = values.strings(1)[0]
        let digit = Int.random(in: 0...9, using: &values)
        let passwords = [
            "", "\(word.capitalized)\(digit)",
            "\(word.capitalized)-x\(digit)",  // eight characters
            "\(word)-xy\(digit)",  // no capital
            "\(digit)-\(word.uppercased())-x",
            "\(word.capitalized)-xyz",  // no digit
            "\(word.capitalized)-x-\(digit)-xyz", "1234",
            "\(word.capitalized)👩‍🚀\(digit)",  // seven characters, and more bytes
            "\(word.uppercased())XYZ\(digit)",  // no small letter, and nothing but letters and digits
        ]
        let strong = passwords.filter { password in
            form.password = password
            return form.isPasswordStrong
        }
        try await KataSupport.inCase("strong") {
            try KataSupport.expect(strong, equals: [passwords[2], passwords[4], passwords[6], passwords[9]])
        }
    }

    @Test func passwordsMatchWhenTheyAreEqual() async throws {
        try await KataSupport.inCase("password, confirmPassword") {
            await KataSupport.settle()
            let entries = Entries()
            let (one, two) = (entries.strong[0], entries.strong[1])
            var matching: [String] = []
            func note() {
                if form.passwordsMatch { matching.append("\(form.password) = \(form.confirmPassword)") }
            }
            for (password, confirmation) in [(one, two), (two, one), (one, one)] {
                form.password = password
                note()
                form.confirmPassword = confirmation
                note()
            }
            // one, two: no; two, two: yes; two, one: no; one, one: yes, twice
            form.confirmPassword = two
            note()
            try KataSupport.expect(matching, equals: ["\(two) = \(two)", "\(one) = \(one)", "\(one) = \(one)"])
        }
        try await KataSupport.inCase("equal") { try await Self().expectEqualPasswords() }
        try await KataSupport.inCase("almost equal") { try await Self().expectAlmostEqualPasswords() }
    }

    /// Equal passwords match, strong or not, unless they are empty.
    private func expectEqualPasswords() async throws {
        await KataSupport.settle()
        let entries = Entries()
        var matching: [String] = []
        for password in ["", entries.strong[0], entries.weak[0], ""] {
            form.password = password
            form.confirmPassword = password
            if form.passwordsMatch { matching.append(password.debugDescription) }
        }
        let right = [entries.strong[0], entries.weak[0]]
        try KataSupport.expect(matching, equals: right.map(\.debugDescription))
    }

    /// Passwords that are only almost equal do not match.
    private func expectAlmostEqualPasswords() async throws {
        await KataSupport.settle()
        let password = Entries().strong[0]
        let pairs = [
            (password, "\(password) "), (" \(password)", password), ("\(password) ", "\(password) "),
            (password, password.uppercased()),
        ]
        let matching = pairs.filter { password, confirmation in
            form.password = password
            form.confirmPassword = confirmation
            return form.passwordsMatch
        }
        func text(_ pairs: [(String, String)]) -> [String] {
            pairs.map { "\($0.debugDescription) = \($1.debugDescription)" }
        }
        try KataSupport.expect(text(matching), equals: text([pairs[2]]))
    }

    // MARK: - The email

    @Test func anEmailIsJudgedAfterAWhile() async throws {
        try await KataSupport.inCase("one change") {
            await KataSupport.settle()
            let entries = Entries()
            let history = KataSupport.Log<String>(time: scheduler)
            let subscription = form.$isEmailValid.filter { $0 }.sink { _ in history.record("valid") }
            scheduler.advance(by: .milliseconds(1_000))
            history.input(entries.emails[0])
            form.email = entries.emails[0]
            for _ in 1...10 { scheduler.advance(by: .milliseconds(100)) }
            try history.expect([("valid", .milliseconds(1_300))])
            subscription.cancel()
        }
        try await KataSupport.inCase("several changes") { try await Self().expectLastChange() }
        try await KataSupport.inCase("next email") { try await Self().expectNextJudgement() }
    }

    /// Only the last of many changes is judged.
    private func expectLastChange() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let history = KataSupport.Log<String>(time: scheduler)
        let subscription = form.$isEmailValid.filter { $0 }.sink { _ in history.record("valid") }
        for email in [entries.emails[0], entries.noEmail, entries.emails[0], entries.emails[1]] {
            history.input(email)
            form.email = email
            scheduler.advance(by: .milliseconds(200))
        }
        for _ in 1...10 { scheduler.advance(by: .milliseconds(100)) }
        try history.expect([("valid", .milliseconds(900))])
        subscription.cancel()
    }

    /// Each judgement replaces the one before.
    private func expectNextJudgement() async throws {
        await KataSupport.settle()
        let entries = Entries()
        var history: [Bool] = []
        for email in [entries.emails[0], entries.noEmail, entries.emails[1]] {
            form.email = email
            scheduler.advance(by: .milliseconds(300))
            history.append(form.isEmailValid)
        }
        try KataSupport.expect(history, equals: [true, false, true])
    }

    /// The texts that the form takes for emails, as they are written in Swift.
    func emails(among texts: [String]) -> [String] {
        texts.filter { text in
            form.email = text
            scheduler.advance(by: .milliseconds(300))
            return form.isEmailValid
        }.map(\.debugDescription)
    }

    @Test func whatAnEmailLooksLike() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(3)
        let digit = Int.random(in: 0...9, using: &values)
        let (name, place, other) = (words[0], words[1], words[2])
        let right = [
            "\(name)@\(place).com", "\(name.capitalized)_\(other)@\(place).org",
            "\(name).\(other)-7@\(other)-\(place).\(place).info", "\(name)@\(place)_\(other).net",
            "\(name)@\(other).c\(digit)", "_\(name)-@\(place).com", "\(name)@_\(place)-.\(other)_.com",
        ]
        let wrong = [
            "", name, "\(name)@", "@\(place).com", "\(name)@\(place)", "\(name) \(other)@\(place).com",
            "\(name)@\(other)@\(place).com", "\(name)@\(place)..com", "\(name)@\(place).c",
            "to \(name)@\(place).com", "\(name)@\(place).com, please", "\(name)%\(other)@\(place).com",
            "\(name)@\(place)+\(other).com", "\(name)@\(place)!.com",
        ]
        try KataSupport.expect(
            emails(among: values.reordered(right + wrong)).sorted(), equals: right.map(\.debugDescription).sorted())
    }

    @Test func allRulesForAnEmailCount() async throws {
        await KataSupport.settle()
        let email = Entries().emails[0]
        let texts = [email, "\(email)\n", "\n\(email)", "\(email) ", " \(email)", "\(email)\r\n"]
        try KataSupport.expect(emails(among: texts), equals: [email.debugDescription])
        try await KataSupport.inCase("ending") { try await Self().expectLongEndings() }
        try await KataSupport.inCase("tag") { try await Self().expectTags() }
    }

    /// An ending may be long.
    private func expectLongEndings() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let texts = ["museum", "photography"].map { "\(words[0])@\(words[1]).\($0)" }
        try KataSupport.expect(emails(among: texts), equals: texts.map(\.debugDescription))
    }

    /// A name may have a tag.
    private func expectTags() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(3)
        let texts = ["\(words[0])+\(words[1])@\(words[2]).com"]
        try KataSupport.expect(emails(among: texts), equals: texts.map(\.debugDescription))
    }

    // MARK: - The form

    @Test func allThreeRulesHaveToHold() async throws {
        await KataSupport.settle()
        let entries = Entries()
        var canBeSent: [String] = []
        for email in [entries.emails[0], entries.noEmail] {
            // Once: whether the same email counts as changed is another question.
            form.email = email
            for (password, confirmation) in [
                (entries.weak[0], entries.weak[1]), (entries.weak[0], entries.weak[0]),
                (entries.strong[0], entries.weak[0]), (entries.strong[0], entries.strong[0]),
            ] {
                form.password = password
                form.confirmPassword = confirmation
                scheduler.advance(by: .milliseconds(300))
                if form.canSubmit { canBeSent.append([email, password, confirmation].joined(separator: " | ")) }
            }
        }
        let right = [entries.emails[0], entries.strong[0], entries.strong[0]].joined(separator: " | ")
        try KataSupport.expect(canBeSent, equals: [right])
    }

    @Test func passwordsCountAtOnce() async throws {
        await KataSupport.settle()
        let entries = Entries()
        fill(email: entries.emails[0], password: entries.strong[0])
        var history = [form.canSubmit]
        for (password, confirmation) in [(entries.strong[1], entries.strong[1]), (entries.weak[0], entries.weak[0])] {
            form.password = password
            history.append(form.canSubmit)
            form.confirmPassword = confirmation
            history.append(form.canSubmit)
        }
        try KataSupport.expect(history, equals: [true, false, true, false, false])
    }

    // MARK: - No wrong moment

    /// Both ways, since it is not fixed which subscriber of a property hears of a change first.
    @Test func aWrongFormCanAtNoMomentBeSent() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let history = KataSupport.Log<String>()
        let subscription = record(form.$canSubmit, in: history)
        // Weak and equal, then strong and different: and back.
        fill(email: entries.emails[0], password: entries.weak[0])
        for password in [entries.strong[0], entries.weak[0], entries.strong[0]] { form.password = password }
        // Strong and different, then weak and equal: and back.
        form.confirmPassword = entries.weak[1]
        for password in [entries.weak[1], entries.strong[0], entries.weak[1]] { form.password = password }
        // How often a value is published is another test's question: here only the changes count.
        func changes() -> [String] {
            history.events.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        try KataSupport.expect(changes(), equals: ["false"])
        form.confirmPassword = entries.strong[1]
        form.password = entries.strong[1]
        try KataSupport.expect(changes(), equals: ["false", "true"])
        subscription.cancel()
        try await KataSupport.inCase("validation") { try await Self().expectNoMomentAtTheJudgement() }
    }

    /// Nor at the moment of a judgement.
    private func expectNoMomentAtTheJudgement() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let history = KataSupport.Log<String>()
        fill(email: entries.emails[0], password: entries.strong[0])
        scheduler.advance(by: .milliseconds(300))
        let subscription = record(form.$canSubmit, in: history)
        form.email = "no email"
        scheduler.advance(by: .milliseconds(300))
        form.email = entries.emails[1]
        scheduler.advance(by: .milliseconds(300))
        subscription.cancel()
        let changes = history.events.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        try KataSupport.expect(changes, equals: ["true", "false", "true"])
    }

    @Test func anUnjudgedEmailCannotBeSent() async throws {
        await KataSupport.settle()
        let entries = Entries()
        fill(email: entries.emails[0], password: entries.strong[0])
        var history = [form.canSubmit]
        form.email = entries.emails[1]
        history.append(form.canSubmit)
        for _ in 1...3 {
            scheduler.advance(by: .milliseconds(100))
            history.append(form.canSubmit)
        }
        try KataSupport.expect(history, equals: [true, false, false, false, true])
        try await KataSupport.inCase("password") { try await Self().expectNoJudgementByAPassword() }
    }

    /// A password does not judge it.
    private func expectNoJudgementByAPassword() async throws {
        await KataSupport.settle()
        let entries = Entries()
        for (email, isValid) in [(entries.noEmail, false), (entries.emails[1], true)] {
            fill(email: entries.emails[0], password: entries.strong[0])
            var history = [form.canSubmit]
            form.email = email
            form.password = entries.strong[1]
            form.confirmPassword = entries.strong[1]
            history.append(form.canSubmit)
            scheduler.advance(by: .milliseconds(300))
            history.append(form.canSubmit)
            try KataSupport.expect(history, equals: [true, false, isValid])
        }
    }

    @Test func anEmailThatComesBackCanBeSent() async throws {
        await KataSupport.settle()
        let entries = Entries()
        fill(email: entries.emails[0], password: entries.strong[0])
        form.email = entries.noEmail
        scheduler.advance(by: .milliseconds(100))
        form.email = entries.emails[0]
        scheduler.advance(by: .milliseconds(300))
        try KataSupport.expect(
            whatHolds(form), equals: ["isEmailValid", "isPasswordStrong", "passwordsMatch", "canSubmit"])
    }

    @Test func canSubmitIsPublishedOnlyWhenItChanges() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let history = KataSupport.Log<String>()
        let subscription = record(form.$canSubmit, in: history)
        type(entries)
        // The form stays right.
        form.password = entries.strong[0]
        form.confirmPassword = entries.strong[0]
        form.password = entries.weak[0]
        form.password = entries.weak[1]
        let expected = ["false", "true", "false"]
        let changes = history.events.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        try await KataSupport.inCase("canSubmit") {
            if changes.count > expected.count {
                throw KataSupport.Mismatch(
                    expected: expected.joined(separator: ", "), actual: history.events.joined(separator: ", "))
            }
            try KataSupport.expect(history.events, equals: expected)
        }
        subscription.cancel()
        try await KataSupport.inCase("rules") { try await Self().expectRules() }
    }

    /// The same for the three rules.
    private func expectRules() async throws {
        await KataSupport.settle()
        let entries = Entries()
        let logs = (0..<3).map { _ in KataSupport.Log<String>() }
        let subscriptions = [
            record(form.$isEmailValid, as: "isEmailValid", in: logs[0]),
            record(form.$isPasswordStrong, as: "isPasswordStrong", in: logs[1]),
            record(form.$passwordsMatch, as: "passwordsMatch", in: logs[2]),
        ]
        type(entries)
        for (log, name) in zip(logs, ["isEmailValid", "isPasswordStrong", "passwordsMatch"]) {
            try KataSupport.expect(log.events, equals: ["\(name) false", "\(name) true"])
        }
        subscriptions.forEach { $0.cancel() }
    }

    /// Types all letters one by one; after some of them, the email is judged.
    private func type(_ entries: Entries) {
        for letter in entries.strong[0] {
            form.password.append(letter)
        }
        for letter in entries.strong[0] {
            form.confirmPassword.append(letter)
        }
        for letter in entries.emails[0] {
            form.email.append(letter)
            // What comes after the dot is an email too soon.
            if !form.email.contains(".") { scheduler.advance(by: .milliseconds(400)) }
        }
        scheduler.advance(by: .milliseconds(300))
    }
}
