import Combine
import Foundation
import KataSupport
import OneByOneSink
import XCTest

final class OneByOneSinkXCTests: XCTestCase {
    let notification = Notification.Name("next-\(UUID())")

    func testTheCompletionArrives() async throws {
        let failure = KataSupport.Failure("offline")
        let finished = expectation(description: "one publisher finished")
        let failed = expectation(description: "the other one failed")
        finished.assertForOverFulfill = false
        failed.assertForOverFulfill = false
        let publishers = (0..<2).map { _ in KataSupport.ProbePublisher<Int, KataSupport.Failure>() }
        let subscriptions = publishers.map { publisher in
            publisher.oneByOneSink(
                notification,
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: finished.fulfill()
                    case .failure(let error): if error == failure { failed.fulfill() }
                    }
                }, receiveValue: { _ in })
        }
        await KataSupport.settle()
        publishers[0].send(completion: .finished)
        publishers[1].send(completion: .failure(failure))
        await KataSupport.settle()
        await fulfillment(of: [finished, failed], timeout: 0.1)
        subscriptions.forEach { $0.cancel() }
    }

    func testTwoNamesDoNotWakeEachOther() async throws {
        let names = [notification, Notification.Name("other-\(UUID())")]
        let publishers = names.map { _ in KataSupport.ProbePublisher<Int, Never>() }
        let subscriptions = zip(names, publishers).map { name, publisher in publisher.oneByOneSink(name) { _ in } }
        for publisher in publishers { try await publisher.sendWhenAsked(1) }
        NotificationCenter.default.post(name: names[1], object: nil)
        await KataSupport.settle()
        try KataSupport.expect(publishers.map(\.asked), equals: [.max(1), .max(2)])
        subscriptions.forEach { $0.cancel() }
    }

    func testCancellingCancelsTheUpstream() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        await KataSupport.settle()
        subscription.cancel()
        try await publisher.cancelled()
    }

    func testCancellingReleasesTheUpstream() async throws {
        let probe = KataSupport.LeakProbe()
        let sink = Subscribers.OneByOneSink<Int, Never>(
            notificationName: notification, receiveCompletion: { _ in }, receiveValue: { _ in })
        var publisher: KataSupport.ProbePublisher<Int, Never>? = .init(holding: probe.token())
        publisher?.subscribe(sink)
        try await publisher?.asked(for: .max(1))
        sink.cancel()
        publisher = nil
        try await probe.released()
        withExtendedLifetime(sink) {}
    }
}
