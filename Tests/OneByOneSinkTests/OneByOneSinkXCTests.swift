import Combine
import Foundation
import KataSupport
import OneByOneSink
import XCTest

final class OneByOneSinkXCTests: XCTestCase {
    typealias Failure = KataSupport.Failure

    let notification = Notification.Name("next-\(UUID())")

    func testAsksForOneValue() async throws {
        try await expectOneValue("OneByOneSink") { publisher in
            let sink = Subscribers.OneByOneSink<Int, Never>(
                notificationName: notification, receiveCompletion: { _ in }, receiveValue: { _ in })
            publisher.subscribe(sink)
            return AnyCancellable(sink)
        }
        try await expectOneValue("oneByOneSink(_:receiveValue:)") { $0.oneByOneSink(notification) { _ in } }
        try await expectOneValue("oneByOneSink(_:receiveCompletion:receiveValue:)") {
            $0.setFailureType(to: Failure.self)
                .oneByOneSink(notification, receiveCompletion: { _ in }, receiveValue: { _ in })
        }
    }

    private func expectOneValue(
        _ name: String, _ subscribe: (KataSupport.ProbePublisher<Int, Never>) -> AnyCancellable
    ) async throws {
        try await KataSupport.inCase(name) {
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let subscription = subscribe(publisher)
            await KataSupport.settle()
            try KataSupport.expect(publisher.asked, equals: .max(1))
            subscription.cancel()
        }
    }

    func testTheCompletionArrives() async throws {
        for (completion, event) in [(.finished, "|"), (.failure(Failure("offline")), "x offline")]
            as [(Subscribers.Completion<Failure>, String)]
        {
            let history = KataSupport.Log<String>()
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            let subscription = publisher.oneByOneSink(
                notification, receiveCompletion: { history.record(text(of: $0)) }, receiveValue: { _ in })
            await KataSupport.settle()
            publisher.send(completion: completion)
            await KataSupport.settle()
            try KataSupport.expect(history.events, equals: [event])
            subscription.cancel()
        }
    }

    func testTwoNamesDoNotWakeEachOther() async throws {
        let names = [notification, Notification.Name("other-\(UUID())")]
        let publishers = names.map { _ in KataSupport.ProbePublisher<Int, Never>() }
        let subscriptions = zip(names, publishers).map { name, publisher in publisher.oneByOneSink(name) { _ in } }
        await KataSupport.settle()
        for publisher in publishers {
            Task { publisher.send(1) }
            await KataSupport.settle()
        }
        NotificationCenter.default.post(name: names[1], object: nil)
        await KataSupport.settle()
        try KataSupport.expect(publishers.map(\.asked), equals: [.max(1), .max(2)])
        subscriptions.forEach { $0.cancel() }
    }

    func testTwoSinksDoNotAffectEachOther() async throws {
        let names = [notification, Notification.Name("other-\(UUID())")]
        let publishers = names.map { _ in KataSupport.ProbePublisher<Int, Never>() }
        let subscriptions = zip(names, publishers).map { name, publisher in publisher.oneByOneSink(name) { _ in } }
        await KataSupport.settle()
        for publisher in publishers {
            Task { publisher.send(1) }
            await KataSupport.settle()
        }
        for name in names {
            NotificationCenter.default.post(name: name, object: nil)
            await KataSupport.settle()
        }
        try KataSupport.expect(publishers.map(\.asked), equals: [.max(2), .max(2)])
        subscriptions.forEach { $0.cancel() }
        for haveValues in [[true, true], [true, false], [false, true]] { try await listenToOneName(haveValues) }
        try await KataSupport.inCase("end") {
            try await expectAnswers(afterTheEndOf: { _, subscription in subscription.cancel() })
            try await expectAnswers(afterTheEndOf: { publisher, _ in publisher.send(completion: .finished) })
        }
    }

    /// Two sinks with the same name hear the same notification. It answers the value of each, if that has one.
    private func listenToOneName(_ haveValues: [Bool]) async throws {
        let name = Notification.Name("same-\(UUID())")
        let publishers = haveValues.map { _ in KataSupport.ProbePublisher<Int, Never>() }
        let subscriptions = publishers.map { publisher in publisher.oneByOneSink(name) { _ in } }
        await KataSupport.settle()
        for (publisher, hasValue) in zip(publishers, haveValues) where hasValue {
            Task { publisher.send(1) }
            await KataSupport.settle()
        }
        NotificationCenter.default.post(name: name, object: nil)
        await KataSupport.settle()
        for (publisher, hasValue) in zip(publishers, haveValues) where hasValue {
            try KataSupport.expect(publisher.asked, equals: .max(2))
        }
        subscriptions.forEach { $0.cancel() }
    }

    /// Three sinks have the same name. When the first one has ended, the others still hear the notifications.
    ///
    /// There are two others because the center calls its observers in an order of its own: what they share is changed by
    /// the one that it calls first, and the next one shows it.
    private func expectAnswers(
        afterTheEndOf end: (KataSupport.ProbePublisher<Int, Never>, AnyCancellable) -> Void
    ) async throws {
        let name = Notification.Name("same-\(UUID())")
        let publishers = (0..<3).map { _ in KataSupport.ProbePublisher<Int, Never>() }
        let subscriptions = publishers.map { publisher in publisher.oneByOneSink(name) { _ in } }
        await KataSupport.settle()
        end(publishers[0], subscriptions[0])
        await KataSupport.settle()
        for publisher in publishers.dropFirst() {
            Task { publisher.send(1) }
            await KataSupport.settle()
        }
        NotificationCenter.default.post(name: name, object: nil)
        await KataSupport.settle()
        try KataSupport.expect(publishers.dropFirst().map(\.asked), equals: [.max(2), .max(2)])
        subscriptions.forEach { $0.cancel() }
    }

    func testTheSubscriptionLasts() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        await KataSupport.settle()
        let begunOrCancelled = publisher.events.filter { $0 == .subscribed || $0 == .cancelled }
        try KataSupport.expect(begunOrCancelled, equals: [.subscribed])
        subscription.cancel()
    }

    func testCancellingCancelsTheUpstream() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        await KataSupport.settle()
        subscription.cancel()
        try await publisher.cancelled()
    }
}
