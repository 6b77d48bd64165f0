import Foundation
import KataSupport
import NotificationObserver
import XCTest

final class NotificationObserverXCTests: XCTestCase {
    let center = NotificationCenter()
    let event = Notification.Name("event-\(UUID())")
    let history = KataSupport.Log<String>()

    func testOtherNamesAreLeftAlone() async throws {
        let observer = NotificationObserver(center: center, name: event) { [history] in history.record($0) }
        observer.start()
        await KataSupport.settle()
        await post("other", as: Notification.Name("other-\(UUID())"), on: center)
        await post("own", as: event, on: center)
        try KataSupport.expect(history.events, equals: ["own"])
        observer.stop()
    }

    func testTwoObserversHandleEverything() async throws {
        var values = KataSupport.Values()
        let texts = values.strings(3)
        let histories = [history, KataSupport.Log<String>()]
        let observers = histories.map { history in
            NotificationObserver(center: center, name: event) { history.record($0) }
        }
        for observer in observers { observer.start() }
        await KataSupport.settle()
        for text in texts { await post(text, as: event, on: center) }
        for history in histories { try KataSupport.expect(history.events, equals: texts) }
        for observer in observers { observer.stop() }
    }

    func testItCanBeStartedAgain() async throws {
        let observer = NotificationObserver(center: center, name: event) { [history] in history.record($0) }
        for period in 1...3 {
            observer.start()
            await KataSupport.settle()
            await post("\(period)", as: event, on: center)
            observer.stop()
            await KataSupport.settle()
            await post("in between", as: event, on: center)
        }
        try KataSupport.expect(history.events, equals: ["1", "2", "3"])
        try await KataSupport.inCase("stop") { try await expectStopWithoutStart() }
    }

    private func expectStopWithoutStart() async throws {
        let history = KataSupport.Log<String>()
        let observer = NotificationObserver(center: center, name: event) { history.record($0) }
        observer.stop()
        observer.start()
        await KataSupport.settle()
        await post("first", as: event, on: center)
        for _ in 1...2 {
            observer.stop()
            await KataSupport.settle()
        }
        observer.start()
        await KataSupport.settle()
        await post("second", as: event, on: center)
        try KataSupport.expect(history.events, equals: ["first", "second"])
        observer.stop()
    }
}
