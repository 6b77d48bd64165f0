import Foundation
import KataSupport
import NotificationObserver
import Testing

/// Posts in a task of its own: an answer that makes the sender wait would stop the test.
func post(_ objects: Any?..., as name: Notification.Name, on center: NotificationCenter) async {
    nonisolated(unsafe) let objects = objects
    Task {
        for object in objects { center.post(name: name, object: object) }
    }
    await KataSupport.settle()
}

@Suite(.ownProcess) struct NotificationObserverTests {
    let center = NotificationCenter()
    let name = Notification.Name("event-\(UUID())")
    let history = KataSupport.Log<String>()

    /// Records what it handles.
    func observer() -> NotificationObserver {
        NotificationObserver(center: center, name: name) { [history] in history.record($0) }
    }

    /// Records when it begins to handle something, which then takes until the gate is open, whether it is cancelled or not.
    func observer(heldBackBy gate: KataSupport.Gate) -> NotificationObserver {
        NotificationObserver(center: center, name: name) { [history] in
            history.record($0)
            await gate.passEvenIfCancelled()
        }
    }

    /// Records when it begins to handle something, which goes on until it is cancelled, and records that.
    func observerThatEndsWhenCancelled() -> NotificationObserver {
        let gate = KataSupport.Gate()
        return NotificationObserver(center: center, name: name) { [history] in
            history.record($0)
            do { try await gate.pass() } catch { history.record("\($0) cancelled") }
        }
    }

    func started(_ observer: NotificationObserver) async -> NotificationObserver {
        observer.start()
        await KataSupport.settle()
        return observer
    }

    // MARK: - What is handled

    @Test func theGivenCenterIsObserved() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let observer = await started(observer())
        await post(texts[0], as: name, on: .default)
        await post(texts[1], as: name, on: center)
        try KataSupport.expect(history.events, equals: [texts[1]])
        observer.stop()
    }

    @Test func notificationsAreHandledInOrder() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(4)
        let observer = await started(observer())
        for text in texts { await post(text, as: name, on: center) }
        try KataSupport.expect(history.events, equals: texts)
        observer.stop()
    }

    @Test func otherObjectsAreLeftAlone() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let observer = await started(observer())
        let objects: [Any?] = [nil, values.integer(), Date(timeIntervalSince1970: 0), [text], text]
        for object in objects { await post(object, as: name, on: center) }
        try KataSupport.expect(history.events, equals: [text])
        observer.stop()
    }

    @Test func everyStringIsHandled() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let posted = [texts[0], texts[0], texts[1], texts[0]]
        let observer = await started(observer())
        for text in posted { await post(text, as: name, on: center) }
        try KataSupport.expect(history.events, equals: posted)
        observer.stop()
        try await KataSupport.inCase("empty string") { try await Self().expectEmptyString() }
    }

    /// An empty string is a string.
    private func expectEmptyString() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(2)
        let posted = [texts[0], "", texts[1]]
        let observer = await started(
            NotificationObserver(center: center, name: name) { [history] in history.record("“\($0)”") })
        for text in posted { await post(text, as: name, on: center) }
        try KataSupport.expect(history.events, equals: posted.map { "“\($0)”" })
        observer.stop()
    }

    // MARK: - One at a time

    @Test func postingDoesNotWaitForTheHandler() async throws {
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        try await KataSupport.expectNoBlockedThread {
            Task { [center, name, history] in
                center.post(name: name, object: "first")
                history.record("posted")
            }
            await KataSupport.settle()
        }
        try KataSupport.expect(history.events.sorted(), equals: ["first", "posted"])
        gate.open()
        await KataSupport.settle()
        observer.stop()
    }

    @Test func onlyOneIsHandledAtATime() async throws {
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        await post("first", as: name, on: center)
        await post("second", as: name, on: center)
        try KataSupport.expect(history.events, equals: ["first"])
        gate.open()
        await KataSupport.settle()
        observer.stop()
    }

    @Test func whatComesWhileTheHandlerIsBusyComesNext() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(16)
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        for text in texts { await post(text, as: name, on: center) }
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: texts)
        observer.stop()
        try await thousandsWait()
        // What hops to a task or a queue may be overtaken.
        try await KataSupport.explore { race in
            let (own, gate) = (Self(), KataSupport.Gate())
            let observer = await own.started(own.observer(heldBackBy: gate))
            own.send("first")
            await KataSupport.settle()
            try await race.threads({
                own.send("second")
                own.send("third")
            })
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(own.history.events, equals: ["first", "second", "third"])
            observer.stop()
        }
    }

    /// More than any limit that one would think of.
    private func thousandsWait() async throws {
        let count = 2_000
        let handled = KataSupport.Log<String>()
        let gate = KataSupport.Gate()
        let observer = await started(
            NotificationObserver(center: center, name: name) {
                handled.record($0)
                await gate.passEvenIfCancelled()
            })
        await post("first", as: name, on: center)
        Task { [center, name] in
            for number in 1...count { center.post(name: name, object: "\(number)") }
        }
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle(limit: 100_000)
        try KataSupport.expect(handled.events.count, equals: 1 + count)
        try expectOrder(["first"] + (1...count).map { "\($0)" }, in: handled.events)
        observer.stop()
    }

    /// Of thousands, only the first few that changed places are shown.
    private func expectOrder(_ expected: [String], in events: [String]) throws {
        guard let start = zip(expected, events).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return }
        var open: Set<String> = []
        var end = start
        repeat {
            open.formSymmetricDifference([expected[end]])
            open.formSymmetricDifference([events[end]])
            end += 1
        } while !open.isEmpty && end < expected.count
        let changed = start..<end
        try KataSupport.expect(Array(events[changed]), equals: Array(expected[changed]))
    }

    // MARK: - Start and stop

    @Test func nothingPostedBeforeTheStartIsHandled() async throws {
        let observer = observer()
        await post("before", as: name, on: center)
        _ = await started(observer)
        await post("after", as: name, on: center)
        try KataSupport.expect(history.events, equals: ["after"])
        observer.stop()
    }

    @Test func nothingPostedAfterTheStopIsHandled() async throws {
        let observer = await started(observer())
        await post("before", as: name, on: center)
        observer.stop()
        await KataSupport.settle()
        await post("after", as: name, on: center)
        try KataSupport.expect(history.events, equals: ["before"])
    }

    @Test func stoppingCancelsTheHandler() async throws {
        let observer = await started(observerThatEndsWhenCancelled())
        // Another string waits, so that the handler that runs is not the last thing that an answer has begun.
        for text in ["first", "second"] { await post(text, as: name, on: center) }
        observer.stop()
        await KataSupport.settle()
        let first = history.events.filter { $0.hasPrefix("first") }
        try KataSupport.expect(first, equals: ["first", "first cancelled"])
    }

    @Test func whatIsPostedRightAfterTheStartCounts() async throws {
        nonisolated(unsafe) let observer = observer()
        Task { [center, name] in
            observer.start()
            center.post(name: name, object: "first")
        }
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["first"])
        observer.stop()
        try await KataSupport.inCase("stop, start") { try await Self().expectStartRightAfterStop() }
    }

    @Test func whatCountsIsDecidedWhenItIsPosted() async throws {
        try await KataSupport.explore { race in
            let own = Self()
            nonisolated(unsafe) let observer = await own.started(own.observer())
            own.send("before")
            await KataSupport.settle()
            try await race.threads({
                observer.stop()
                own.send("after")
            })
            try KataSupport.expect(own.history.events, equals: ["before"])
        }
        try await KataSupport.inCase("post, start, post") { try await Self().expectNothingOfThePause() }
        try await KataSupport.inCase("post, stop, post, start, post") { try await Self().expectDecisionAtThePost() }
    }

    @Test func whatWaitsAtTheStopIsNotHandled() async throws {
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        for text in ["first", "second", "third"] { await post(text, as: name, on: center) }
        observer.stop()
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["first"])
        try await KataSupport.inCase("stop, start") { try await Self().expectNothingLater() }
    }

    /// Nor is it handled after the next start.
    private func expectNothingLater() async throws {
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        for text in ["first", "second"] { await post(text, as: name, on: center) }
        observer.stop()
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        _ = await started(observer)
        await post("third", as: name, on: center)
        try KataSupport.expect(history.events.filter { $0 != "first" }, equals: ["third"])
        observer.stop()
    }

    @Test func aSecondStartChangesNothing() async throws {
        let observer = await started(observer())
        _ = await started(observer)
        await post("once", as: name, on: center)
        try KataSupport.expect(history.events, equals: ["once"])
        observer.stop()
        try await KataSupport.inCase("stop") { try await Self().expectOneStopIsEnough() }
        try await KataSupport.inCase("handler") { try await Self().expectHandlerGoesOn() }
        try await KataSupport.inCase("handler, post") { try await Self().expectWaitingStrings() }
    }

    /// One stop is enough for two starts.
    private func expectOneStopIsEnough() async throws {
        let observer = await started(observer())
        _ = await started(observer)
        await post("before", as: name, on: center)
        observer.stop()
        await KataSupport.settle()
        await post("after", as: name, on: center)
        // How often the first one was handled is another test's question.
        try KataSupport.expect(Array(history.events.prefix(1)), equals: ["before"])
        try KataSupport.expect(history.events.filter { $0 != "before" }, equals: [])
    }

    /// The handler that runs is not cancelled.
    private func expectHandlerGoesOn() async throws {
        let observer = await started(observerThatEndsWhenCancelled())
        await post("first", as: name, on: center)
        _ = await started(observer)
        try KataSupport.expect(history.events, equals: ["first"])
        observer.stop()
        await KataSupport.settle()
    }

    /// What waits is kept.
    private func expectWaitingStrings() async throws {
        let gate = KataSupport.Gate()
        let observer = await started(observer(heldBackBy: gate))
        await post("first", as: name, on: center)
        await post("second", as: name, on: center)
        _ = await started(observer)
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["first", "second"])
        observer.stop()
    }

    /// The same for a start right after the stop.
    private func expectStartRightAfterStop() async throws {
        nonisolated(unsafe) let observer = await started(observer())
        await post("before", as: name, on: center)
        Task { [center, name] in
            observer.stop()
            observer.start()
            center.post(name: name, object: "again")
        }
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["before", "again"])
        observer.stop()
    }

    /// What waits, or is posted in between.
    private func expectDecisionAtThePost() async throws {
        try await KataSupport.explore { race in
            let (own, gate) = (Self(), KataSupport.Gate())
            nonisolated(unsafe) let observer = await own.started(own.observer(heldBackBy: gate))
            own.send("first")
            await KataSupport.settle()
            try await race.threads({
                own.send("before the stop")
                observer.stop()
                own.send("stopped")
                observer.start()
                own.send("again")
            })
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(own.history.events, equals: ["first", "again"])
            observer.stop()
        }
    }

    /// What is posted before the next start.
    private func expectNothingOfThePause() async throws {
        try await KataSupport.explore { race in
            let own = Self()
            nonisolated(unsafe) let observer = await own.started(own.observer())
            observer.stop()
            await KataSupport.settle()
            try await race.threads({
                own.send("stopped")
                observer.start()
                own.send("started")
            })
            try KataSupport.expect(own.history.events, equals: ["started"])
            observer.stop()
        }
    }

    // MARK: - The end of an observer

    @Test func aDroppedObserverHandlesNothing() async throws {
        weak var released: NotificationObserver?
        func useAndDrop() async throws {
            let observer = await started(observer())
            released = observer
            await post("while it lives", as: name, on: center)
            try KataSupport.expect(history.events, equals: ["while it lives"])
            withExtendedLifetime(observer) {}
        }
        try await useAndDrop()
        try await KataSupport.expectReleased { released }
        await post("too late", as: name, on: center)
        try KataSupport.expect(history.events, equals: ["while it lives"])
    }

    @Test func droppingTheObserverCancelsTheHandler() async throws {
        try await KataSupport.inCase("handler") {
            weak var released: NotificationObserver?
            func useAndDrop() async {
                let observer = await started(observerThatEndsWhenCancelled())
                released = observer
                await post("first", "second", as: name, on: center)
                withExtendedLifetime(observer) {}
            }
            await useAndDrop()
            // While its handler runs, nothing keeps it either.
            try await KataSupport.expectReleased { released }
            try KataSupport.expect(history.events, equals: ["first", "first cancelled"])
        }
        try await KataSupport.inCase("released") { try await Self().expectRelease() }
    }

    /// What the handler captures, such as a view model, is released with the observer.
    private func expectRelease() async throws {
        let probe = KataSupport.LeakProbe()
        func useAndDrop() async {
            let observer = await started(
                NotificationObserver(center: center, name: name) { [history, token = probe.token()] in
                    history.record($0)
                    withExtendedLifetime(token) {}
                })
            await post("first", as: name, on: center)
            withExtendedLifetime(observer) {}
        }
        await useAndDrop()
        try KataSupport.expect(history.events, equals: ["first"])
        try await probe.released()
    }

    // MARK: - Many threads

    // What does not meet: `start()` and `stop()`, which are not called from two threads at the same time; two handlers, as one
    // string is handled at a time.

    @Test func whatTwoThreadsPostComesOneAfterTheOther() async throws {
        try await KataSupport.explore { race in
            let (own, gate) = (Self(), KataSupport.Gate())
            let observer = await own.started(own.observer(heldBackBy: gate))
            try await race.threads({ own.send("one") }, { own.send("two") })
            try KataSupport.expect(own.history.events.count, equals: 1)
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(own.history.events.sorted(), equals: ["one", "two"])
            observer.stop()
        }
        try await KataSupport.inCase("handler ends") { try await Self().expectPostAtTheEnd() }
    }

    /// What is posted as the handler ends is handled.
    private func expectPostAtTheEnd() async throws {
        try await KataSupport.explore { race in
            let (own, gate) = (Self(), KataSupport.Gate())
            let observer = await own.started(own.observer(heldBackBy: gate))
            own.send("first")
            await KataSupport.settle()
            try await race.threads({ gate.open() }, { own.send("second") })
            try KataSupport.expect(own.history.events, equals: ["first", "second"])
            observer.stop()
        }
    }

    @Test func aPostMayMeetStartAndStop() async throws {
        try await KataSupport.explore { race in
            let own = Self()
            nonisolated(unsafe) let observer = own.observer()
            try await race.threads({ own.send("early") }, { observer.start() })
            try await own.expectHandled("later", after: [[], ["early"]])
            observer.stop()
        }
        try await KataSupport.explore { race in
            let own = Self()
            nonisolated(unsafe) let observer = await own.started(own.observer())
            try await race.threads({ own.send("late") }, { observer.stop() })
            observer.start()
            try await own.expectHandled("later", after: [[], ["late"]])
            observer.stop()
        }
        try await KataSupport.explore { race in
            let own = Self()
            nonisolated(unsafe) var observer: NotificationObserver? = await own.started(own.observer())
            try await race.threads({ own.send("late") }, { observer = nil })
            try KataSupport.expect(own.history.events.count, isOneOf: [0, 1])
        }
        try await KataSupport.inCase("handler ends") { try await Self().raceTheEndOfAHandler() }
    }

    /// A handler may end during stop and start.
    private func raceTheEndOfAHandler() async throws {
        try await KataSupport.explore { race in
            let (own, first, others) = (Self(), KataSupport.Gate(), KataSupport.Gate())
            nonisolated(unsafe) let observer = await own.started(
                NotificationObserver(center: own.center, name: own.name) {
                    own.history.record($0)
                    await ($0 == "first" ? first : others).passEvenIfCancelled()
                })
            own.send("first")
            await KataSupport.settle()
            try await race.threads(
                { first.open() },
                {
                    observer.stop()
                    observer.start()
                    own.send("second")
                })
            own.send("third")
            await KataSupport.settle()
            try KataSupport.expect(own.history.events, equals: ["first", "second"])
            others.open()
            await KataSupport.settle()
            try KataSupport.expect(own.history.events, equals: ["first", "second", "third"])
            observer.stop()
        }
    }

    private func send(_ text: String) {
        center.post(name: name, object: text)
    }

    private func expectHandled(_ text: String, after histories: [[String]]) async throws {
        await KataSupport.settle()
        send(text)
        await KataSupport.settle()
        try KataSupport.expect(
            history.events.joined(separator: ", "), isOneOf: histories.map { ($0 + [text]).joined(separator: ", ") })
    }
}
