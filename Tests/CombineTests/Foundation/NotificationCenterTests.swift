import Combine
import Foundation
import Testing

@Suite struct NotificationCenterTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("changed")

    @Test func `Notifications come as they are asked for`() {
        let recorder = Recorder<String, Never>(requesting: .max(1))
        center.publisher(for: name).map(\.name.rawValue).subscribe(recorder)
        center.post(name: name, object: nil)
        center.post(name: name, object: nil)
        center.post(name: Notification.Name("other"), object: nil)
        #expect(recorder.values == ["changed"])
        recorder.request(.max(5))
        center.post(name: name, object: nil)
        recorder.cancel()
        center.post(name: name, object: nil)
        #expect(recorder.values == ["changed", "changed"])
        #expect(recorder.events.first == .subscription("NotificationCenter Observer"))
    }

    @Test func `Only the object's notifications come`() {
        let (wanted, other) = (Witness(), Witness())
        var count = 0
        let cancellable = center.publisher(for: name, object: wanted).sink { _ in count += 1 }
        center.post(name: name, object: other)
        center.post(name: name, object: wanted)
        cancellable.cancel()
        #expect(count == 1)
        #expect(center.publisher(for: name, object: wanted) == center.publisher(for: name, object: wanted))
        #expect(center.publisher(for: name, object: wanted) != center.publisher(for: name))
    }

    @Test func `A cancelled subscription lets go of its subscriber`() {
        weak var left: Witness?
        do {
            let witness = Witness()
            left = witness
            center.publisher(for: name).sink { _ in _ = witness }.cancel()
        }
        #expect(left == nil)
    }
}
