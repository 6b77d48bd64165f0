import Foundation
import Grading
import Reports
import Storage
import Workbook

/// One client's session from its first byte to its last: it carries out what the model asks for.
actor LanguageServerSession {
    private enum Input: Sendable {
        case bytes([UInt8])
        case event(LanguageServerModel.Event)
    }

    private let session: WorkbookSession
    private let strings: LanguageServerStrings
    private let inputs: AsyncStream<Input>
    private let give: AsyncStream<Input>.Continuation
    private let output = Descriptor(STDOUT_FILENO)
    private var model: LanguageServerModel
    private var frames = MessageFrames()
    private var gradings: [LanguageServerModel.Run: Task<Void, Never>] = [:]
    private var preparing: Task<Void, Never>?
    /// What the client was told last of the grading that runs.
    private var lastStep: String?
    /// How many requests were sent.
    private var requests = 0
    /// The resets that the client was asked for, by the number of the request, with what each one kept.
    private var resets: [Int: (kata: Kata, kept: URL)] = [:]
    private var ending: ExitCode?

    init(_ context: CommandContext) throws {
        let (inputs, give) = AsyncStream.makeStream(of: Input.self)
        (self.inputs, self.give) = (inputs, give)
        // Standard output is the client's: what could not be remembered is said on standard error.
        session = try WorkbookSession(context, onBuildProgress: { _, _ in }) { event in
            give.yield(.event(.doing(event.step, kata: event.kata)))
        }
        // A machine that cannot grade is reported before a client waits for it.
        _ = try session.grader()
        strings = try LanguageServerStrings(context.language)
        var katas: [String: Kata] = [:]
        for kata in session.katas {
            let file = session.workbook.learnerFile(kata.kata).standardizedFileURL
            katas[file.path] = kata
            katas[file.resolvingSymlinksInPath().path] = kata
        }
        model = LanguageServerModel(katas: katas, version: ProgramName.version)
    }

    func run() async -> ExitCode {
        read()
        for await input in inputs {
            switch input {
            case .bytes(let bytes): take(bytes)
            case .event(let event): take(event)
            }
            if ending != nil { break }
        }
        for grading in gradings.values { grading.cancel() }
        preparing?.cancel()
        SubmissionGrader.endAllProcesses()
        for grading in gradings.values { await grading.value }
        await preparing?.value
        return ending ?? .trouble
    }

    /// Reads what the client sends on a thread that may wait.
    private func read() {
        let give = give
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                if count > 0 {
                    give.yield(.bytes(Array(buffer.prefix(count))))
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            give.yield(.event(.closed))
        }
    }

    private func take(_ bytes: [UInt8]) {
        frames.append(bytes)
        do throws(MessageFrames.Failure) {
            while ending == nil, let body = try frames.next() { take(event(body)) }
        } catch {
            session.context.console.say(TextStyle.harmless(strings.message(of: error)))
            ending = .trouble
        }
    }

    private func event(_ body: [UInt8]) -> LanguageServerModel.Event {
        do throws(RPCMessage.Problem) {
            return .message(try RPCMessage(body))
        } catch {
            switch error {
            case .notJSON: return .malformed(.notJSON, id: .null)
            case .notAMessage(let id): return .malformed(.notAMessage, id: id)
            }
        }
    }

    private func take(_ event: LanguageServerModel.Event) {
        for effect in model.handle(event) { carryOut(effect) }
        if case .closed = event, ending == .notPassed { session.context.console.say(strings(.closed)) }
    }

    // MARK: - Effects

    private func carryOut(_ effect: LanguageServerModel.Effect) {
        switch effect {
        case .send(let message): send(message)
        case .fail(let id, let failure):
            send(.failure(id: id, code: failure.code, message: TextStyle.harmless(strings.message(of: failure))))
        case .grade(let document, let run): grade(document, run)
        case .abort(let run): gradings[run]?.cancel()
        case .prepare(let kata): prepare(kata)
        case .publish(let document): publish(document)
        case .unpublish(let uri):
            notify("textDocument/publishDiagnostics", ["uri": .text(uri), "diagnostics": .list([])])
        case .refreshLenses: request("workspace/codeLens/refresh", .null)
        case .answer(let id, let question, let document):
            send(.response(id: id, result: answer(question, document)))
        case .perform(let action, let document, let name): perform(action, document, name)
        case .receive(let answer, let request): receive(answer, request)
        case .progress(let progress, let run): report(progress, run)
        case .tell(let sentence): show(sentence, .error)
        case .end(let code): ending = code
        }
    }

    private func grade(_ document: LanguageServerModel.Document, _ run: LanguageServerModel.Run) {
        preparing?.cancel()
        let give = give
        let submission = Submission(
            kata: document.kata, text: document.text, displayPath: session.path(of: document.kata))
        gradings[run] = Task.detached { [session] in
            do throws(CommandError) {
                let verdict = try await session.grade(submission)
                if Task.isCancelled { return }
                session.record(verdict, on: submission)
                give.yield(.event(.graded(verdict, of: run)))
            } catch {
                if Task.isCancelled { return }
                give.yield(.event(.gradingFailed(error.message, of: run)))
            }
        }
        // Those before it have ended, or were cancelled and end soon.
        for old in gradings.keys where old < run - 8 { gradings[old] = nil }
    }

    private func prepare(_ kata: Kata) {
        preparing = Task.detached(priority: .background) { [session] in await session.prepare([kata]) }
    }

    private func publish(_ document: LanguageServerModel.Document) {
        var parameters: [String: JSONValue] = [
            "uri": .text(document.uri), "diagnostics": diagnostics(document)?.json(uri: document.uri) ?? .list([]),
        ]
        if let version = document.version { parameters["version"] = .integer(version) }
        notify("textDocument/publishDiagnostics", parameters)
    }

    private func diagnostics(_ document: LanguageServerModel.Document) -> VerdictDiagnostics? {
        guard let localized = localized(document) else { return nil }
        return VerdictDiagnostics(
            localized, text: document.text, parts: session.parts(of: document.kata), strings: session.strings.reports)
    }

    /// The verdict on the document's text with what is needed to tell it; `nil` where there is none.
    private func localized(_ document: LanguageServerModel.Document) -> LocalizedVerdict? {
        guard let verdict = document.verdict, let texts = try? session.texts(of: document.kata) else { return nil }
        let hintsShown = session.progress.katas[document.kata.kata]?.hintsShown ?? [:]
        return LocalizedVerdict(verdict, kata: document.kata, texts: texts, hintsShown: hintsShown)
    }

    private func report(_ progress: LanguageServerModel.Progress, _ run: LanguageServerModel.Run) {
        var step: String?
        if case .step(let done, let kata) = progress {
            step = text(of: done, kata)
            // Several steps are one to a person.
            if step == lastStep { return }
        }
        lastStep = step
        let token = JSONValue.text("grader-\(run)")
        let value: [String: JSONValue] =
            switch progress {
            case .begin(let kata): ["kind": .text("begin"), "title": .text(kata)]
            case .step: ["kind": .text("report"), "message": .text(step ?? "")]
            case .end: ["kind": .text("end")]
            }
        if case .begin = progress { request("window/workDoneProgress/create", .object(["token": token])) }
        notify("$/progress", ["token": token, "value": .object(value)])
    }

    private func text(of step: TraceEvent.Step, _ kata: String) -> String {
        switch step {
        case .askCompiler, .makeClangModules, .copyModules, .linkSupport, .compileHarness, .compileAnswer,
            .compileSuite, .runAnswer:
            strings(.buildingTests, .text(kata))
        case .compileSubmission, .link: strings(.compiling)
        case .run: strings(.running)
        case .runControls, .runForRaces, .findLines: strings(.lookingAgain)
        }
    }

    // MARK: - Answers

    private func answer(_ question: LanguageServerModel.Question, _ document: LanguageServerModel.Document) -> JSONValue
    {
        switch question {
        case .lenses: .list([lens(document)])
        case .actions(let place): actions(document, place)
        case .hover(let place): hover(document, place)
        }
    }

    /// The points and the themes, above the first line.
    private func lens(_ document: LanguageServerModel.Document) -> JSONValue {
        let text = CheckText(
            strings: session.strings.reports, style: TextStyle(isColored: false, isUnicode: true), hintStep: .noneLeft)
        let title =
            localized(document).map { localized in
                ([text.heading(localized)] + text.themes(localized)).joined(separator: " · ")
            } ?? "\(document.kata.kata) · \(strings(.saveToGrade))"
        let start = DocumentPlaces.Place(line: 0, character: 0)
        return .object([
            "range": DocumentPlaces.Span(start: start, end: start).json,
            "command": command(.hint, title, document),
        ])
    }

    private func actions(_ document: LanguageServerModel.Document, _ place: DocumentPlaces.Place) -> JSONValue {
        let test = diagnostics(document)?.items(at: place).lazy.compactMap(\.test).first
        var actions = [
            command(.hint, strings(.nextHint), document, name: test), command(.brief, strings(.brief), document),
            command(.reset, strings(.reset), document),
        ]
        if document.verdict?.isPassed == true, let next = session.currentKata, next != document.kata {
            actions.append(command(.next, strings(.nextKata, .text(next.kata)), document))
        }
        // As in `grader watch`, who has mastered the kata compares all answers.
        if session.progress.katas[document.kata.kata]?.best?.outcome == .mastered {
            actions += session.comparedAnswers(document.kata).map { answer in
                command(
                    .approach, strings(.approach, .text(answer.title ?? answer.name)), document, name: answer.name)
            }
        }
        return .list(actions)
    }

    private func command(
        _ action: LanguageServerModel.Action, _ title: String, _ document: LanguageServerModel.Document,
        name: String? = nil
    ) -> JSONValue {
        .object([
            "title": .text(title), "command": .text(action.rawValue),
            "arguments": .list([.text(document.uri)] + [name].compactMap(\.self).map(JSONValue.text)),
        ])
    }

    /// What a test found, with those of its hints that are open.
    private func hover(_ document: LanguageServerModel.Document, _ place: DocumentPlaces.Place) -> JSONValue {
        guard let localized = localized(document), let diagnostics = diagnostics(document) else { return .null }
        let found = diagnostics.items(at: place).lazy.compactMap { item in
            localized.kata.tests.first { $0.id == item.test }.map { (item, $0) }
        }.first { _, test in localized.hintsShown[test.mistake(in: localized.verdict)] != nil }
        guard let (item, test) = found else { return .null }
        let shown = min(localized.hintsShown[test.mistake(in: localized.verdict)] ?? 0, KataTest.hintLevels)
        let texts = ["**\(localized.texts.title(of: test))**"] + (1...max(shown, 1)).map { hint($0, test, localized) }
        let contents: JSONValue = .object([
            "kind": .text("markdown"), "value": .text(texts.joined(separator: "\n\n")),
        ])
        return .object(["contents": contents, "range": item.span.json])
    }

    private func hint(_ level: Int, _ test: KataTest, _ localized: LocalizedVerdict) -> String {
        let reports = session.strings.reports
        let heading = reports(.hintHeading, .integer(level), .integer(KataTest.hintLevels))
        return heading + "\n\n" + localized.texts.hint(level, for: test, in: localized.verdict, general: reports)
    }

    // MARK: - Actions

    private func perform(
        _ action: LanguageServerModel.Action, _ document: LanguageServerModel.Document, _ name: String?
    ) {
        switch action {
        case .hint: showHint(document, name)
        case .brief: open(session.workbook.briefFile(document.kata.kata, session.strings.language))
        case .reset: reset(document)
        case .next:
            guard let next = session.currentKata else { return show(strings(.noNext), .information) }
            open(session.workbook.learnerFile(next.kata))
        case .approach: showApproach(name, of: document.kata)
        }
    }

    private func showHint(_ document: LanguageServerModel.Document, _ id: KataTest.ID?) {
        guard let localized = localized(document) else { return show(strings(.noHint), .information) }
        switch localized.verdict.outcome {
        case .didNotCompile: return show(strings(.noHintCompile), .information)
        case .rejected: return show(strings(.noHintRejected), .information)
        case .mastered: return show(session.strings.reports(.hintNone, .text(document.kata.kata)), .information)
        case .notStarted, .failed, .passed: break
        }
        let passed = Set(localized.verdict.tests.filter { $0.outcome == .passed }.map(\.id))
        let named = localized.kata.tests.first { $0.id == id && !passed.contains($0.id) }
        guard let test = named ?? localized.verdict.nextFailures(in: localized.kata).first else { return }
        var level = 1
        let mistake = test.mistake(in: localized.verdict)
        session.update { level = $0.katas[localized.kata.kata, default: KataProgress()].showNextHint(of: mistake) }
        show(localized.texts.title(of: test) + "\n\n" + hint(level, test, localized), .information)
    }

    private func reset(_ document: LanguageServerModel.Document) {
        do {
            // In an editor that lets itself be changed, its own undo brings back what was there.
            guard model.client.appliesEdits else {
                guard case .done(let kept?) = try session.reset(document.kata) else { return }
                return show(strings(.wasReset, .text(session.context.typed(kept))), .information)
            }
            let (stub, kept) = try session.keep(document.text, of: document.kata)
            let edit: JSONValue = .object([
                "range": DocumentPlaces(document.text).all.json, "newText": .text(stub),
            ])
            let request = request(
                "workspace/applyEdit",
                .object([
                    "label": .text(strings(.reset)),
                    "edit": .object(["changes": .object([document.uri: .list([edit])])]),
                ]))
            resets[request] = (document.kata, kept)
        } catch {
            show(session.error(error).message, .error)
        }
    }

    /// Only the client knows whether the text is the stub now.
    private func receive(_ answer: LanguageServerModel.Answer, _ request: Int) {
        guard let (kata, kept) = resets.removeValue(forKey: request) else { return }
        guard answer.isApplied else {
            let found = answer.reason.flatMap { $0.isEmpty ? nil : $0 } ?? #"{"applied":false}"#
            let command = session.context.commandLine(.reset, [kata.kata])
            return show(strings(.notReset, .text(found), .text(command)), .error)
        }
        session.startOver(kata)
        show(strings(.wasReset, .text(session.context.typed(kept))), .information)
    }

    /// An answer to compare with, and what it trades.
    private func showApproach(_ name: String?, of kata: Kata) {
        let answers = session.comparedAnswers(kata)
        guard let answer = answers.first(where: { $0.name == name }) ?? answers.first else {
            let file = session.context.typed(session.workbook.modelAnswer(kata.kata))
            return show(session.strings(.fileUnreadable, .text(file)), .error)
        }
        open(answer.file, about: [answer.title ?? answer.name] + answer.trade)
    }

    /// Opens a file in the editor, or says where it is.
    private func open(_ file: URL, about lines: [String] = []) {
        guard model.client.showsDocuments else {
            return show((lines + [session.context.typed(file)]).joined(separator: "\n"), .information)
        }
        if !lines.isEmpty { show(lines.joined(separator: "\n"), .information) }
        request(
            "window/showDocument", .object(["uri": .text(file.absoluteString), "takeFocus": .bool(true)]))
    }

    // MARK: - Messages

    private enum Kind: Int { case error = 1, warning, information }

    private func show(_ sentence: String, _ kind: Kind) {
        notify(
            "window/showMessage",
            ["type": .integer(kind.rawValue), "message": .text(TextStyle.harmless(sentence))])
    }

    private func notify(_ method: String, _ parameters: [String: JSONValue]) {
        send(.notification(method: method, parameters: .object(parameters)))
    }

    /// - Returns: the number that the client answers with.
    @discardableResult
    private func request(_ method: String, _ parameters: JSONValue) -> Int {
        requests += 1
        send(.request(id: .integer(requests), method: method, parameters: parameters))
        return requests
    }

    private func send(_ message: RPCMessage) {
        do throws(SystemFailure) {
            try output.write(MessageFrames.framed(message.bytes))
        } catch {
            // The client has stopped reading.
            give.yield(.event(.closed))
        }
    }
}
