import Combine
import Foundation
import Testing

@Suite struct NotificationCenterPublisherTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("name")

    @Test func `Notifications with the name are sent to who asked for them`() {
        let recorder = Recorder<Notification, Never>(requesting: .max(1))
        center.publisher(for: name).watched().subscribe(recorder)
        center.post(name: Notification.Name("other"), object: nil)
        center.post(name: name, object: nil, userInfo: ["number": 1])
        center.post(name: name, object: nil, userInfo: ["number": 2])
        recorder.request(.max(1))
        center.post(name: name, object: nil, userInfo: ["number": 3])
        #expect(recorder.values.map { $0.userInfo?["number"] as? Int } == [1, 3])
        recorder.cancel()
    }

    @Test func `An object's notifications are told from others'`() {
        let (mine, other) = (Witness(), Witness())
        let recorder = Recorder<Notification, Never>()
        center.publisher(for: name, object: mine).watched().subscribe(recorder)
        center.post(name: name, object: other)
        center.post(name: name, object: mine)
        #expect(recorder.values.count == 1)
        recorder.cancel()
    }

    @Test func `Nothing comes after a cancel, and the subscriber is let go of`() {
        weak var left: Recorder<Notification, Never>?
        do {
            let recorder = Recorder<Notification, Never>()
            center.publisher(for: name).subscribe(recorder)
            recorder.cancel()
            center.post(name: name, object: nil)
            #expect(recorder.values == [])
            recorder.letGo()
            left = recorder
        }
        #expect(left == nil)
    }

    @Test func `Publishers of the same notifications are equal`() {
        #expect(center.publisher(for: name) == center.publisher(for: name))
        #expect(center.publisher(for: name) != center.publisher(for: name, object: center))
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: center.publisher(for: name))
                == SelfDescription("NotificationCenter Observer", labels: ["center", "name", "object", "demand"]))
    }
}
