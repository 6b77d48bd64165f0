import Combine
import Testing

@Suite struct PublishedTests {
    private class Model: ObservableObject {
        @Published var number = 1
        @Published var text = "a"
        var plain = 0
    }

    private final class Special: Model {
        @Published var flag = false
    }

    private final class Bare: ObservableObject {}

    @Test func `A property's publisher sends the present value, then each before it is set`() {
        let model = Model()
        var log: [String] = []
        let cancellable = model.$number.sink { log.append("\($0) while \(model.number)") }
        model.number = 2
        model.number = 3
        #expect(log == ["1 while 1", "2 while 1", "3 while 2"])
        #expect(model.number == 3)
        cancellable.cancel()
        model.number = 4
        #expect(log.count == 3)
        #expect(model.number == 4)
    }

    @Test func `The object tells before any published property changes`() {
        let model = Special()
        var log: [Int] = []
        let cancellable = model.objectWillChange.sink { log.append(model.number) }
        model.number = 2
        model.text = "b"
        model.flag = true
        model.plain = 1
        #expect(log == [1, 2, 2])
        #expect(model.objectWillChange === model.objectWillChange)
        cancellable.cancel()
    }

    @Test func `The object tells of a property that has subscribers of its own too`() {
        let model = Model()
        var log: [String] = []
        var all: Set<AnyCancellable> = []
        model.$number.dropFirst().sink { log.append("value \($0)") }.store(in: &all)
        model.objectWillChange.sink { log.append("change") }.store(in: &all)
        model.number = 2
        #expect(log == ["change", "value 2"])
    }

    @Test func `An object without published properties tells nothing`() {
        let bare = Bare()
        let cancellable = bare.objectWillChange.sink { Issue.record("There is nothing to change.") }
        cancellable.cancel()
    }

    @Test func `A demand is heeded`() {
        let model = Model()
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        model.$number.subscribe(recorder)
        model.number = 2
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        #expect(recorder.values == [1, 2])
        #expect(recorder.events.first == .subscription("PublishedSubject"))
    }

    @Test func `A publisher is assigned to a property for as long as that is there`() {
        let upstream = ProbePublisher<Int, Never>()
        weak var left: Model?
        do {
            let model = Model()
            left = model
            upstream.assign(to: &model.$number)
            #expect(upstream.events == [.requested(.unlimited)])
            upstream.send(7)
            #expect(model.number == 7)
        }
        #expect(left == nil)
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `An object publisher sends to those who ask, until they cancel`() {
        let publisher = ObservableObjectPublisher()
        var count = 0
        let cancellable = publisher.sink { count += 1 }
        publisher.send()
        cancellable.cancel()
        publisher.send()
        #expect(count == 1)
    }
}
