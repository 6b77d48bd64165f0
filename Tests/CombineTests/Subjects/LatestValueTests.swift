import Combine
import Dispatch
import Testing

/// What a subject hands over where its latest value is asked for beside a value that is on its way.
@Suite struct LatestValueTests {
    private final class Owner {
        @Published var number = 0
    }

    /// Returns once the work has been done on another thread.
    private func onAnotherThread(_ work: @escaping () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            work()
            isDone.signal()
        }
        isDone.wait()
    }

    /// Subscribes with the recorder. While that receives its first value, another thread sends more and ends, if it can.
    private func interrupt(
        _ recorder: Recorder<Int, Never>, by interruption: @escaping () -> Void
    ) -> (() -> [String]) {
        var log: [String] = []
        recorder.onValue = { value in
            log.append("begin \(value)")
            if value == 0 {
                onAnotherThread(interruption)
            }
            log.append("end \(value)")
            return .none
        }
        recorder.onCompletion = { _ in log.append("finished") }
        return { log }
    }

    @Test func `A value from another thread waits for the one that was asked for`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>()
        let log = interrupt(recorder) {
            for value in 1...2 { subject.send(value) }
        }
        subject.subscribe(recorder)
        #expect(log() == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
        subject.send(3)
        #expect(recorder.values == [0, 1, 2, 3])
    }

    @Test func `The end from another thread waits for the values before it`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>()
        let log = interrupt(recorder) {
            subject.send(1)
            subject.send(completion: .finished)
        }
        subject.subscribe(recorder)
        #expect(log() == ["begin 0", "end 0", "begin 1", "end 1", "finished"])
    }

    @Test func `A value from another thread without demand is the next that is asked for`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        let log = interrupt(recorder) {
            for value in 1...2 { subject.send(value) }
        }
        subject.subscribe(recorder)
        #expect(log() == ["begin 0", "end 0"])
        recorder.request(.max(2))
        #expect(recorder.values == [0, 2])
    }

    @Test func `A cancel from another thread ends it after the value`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>()
        let log = interrupt(recorder) {
            subject.send(1)
            recorder.cancel()
        }
        subject.subscribe(recorder)
        subject.send(2)
        #expect(log() == ["begin 0", "end 0"])
    }

    @Test func `A property's value from another thread waits for the one that was asked for`() {
        let owner = Owner()
        let recorder = Recorder<Int, Never>()
        let log = interrupt(recorder) { owner.number = 1 }
        owner.$number.subscribe(recorder)
        #expect(log() == ["begin 0", "end 0", "begin 1", "end 1"])
    }

    @Test func `A value that was asked for while it was on its way comes once`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let first = Recorder<Int, Never>()
        let second = Recorder<Int, Never>(requesting: nil)
        first.onValue = { value in
            if value == 1 {
                second.request(.max(2))
            }
            return .none
        }
        subject.subscribe(first)
        subject.subscribe(second)
        subject.send(1)
        #expect(second.values == [1])
        subject.send(2)
        #expect(second.values == [1, 2])
    }

    @Test func `An end from inside of a value comes after what another thread has sent`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { [self] value in
            if value == 0 {
                onAnotherThread { subject.send(1) }
                subject.send(completion: .finished)
            }
            return .none
        }
        subject.subscribe(recorder)
        #expect(recorder.signals == [.value(0), .value(1), .finished])
    }

    @Test func `A value from inside of another one comes after those that wait`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { [self] value in
            switch value {
            case 0:
                onAnotherThread { for value in 1...2 { subject.send(value) } }
            case 1:
                subject.send(3)
                subject.send(completion: .finished)
            default:
                break
            }
            return .none
        }
        subject.subscribe(recorder)
        #expect(recorder.signals == [.value(0), .value(1), .value(2), .value(3), .finished])
    }

    @Test func `What is asked for from inside of a value comes after those that wait`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let recorder = Recorder<Int, Never>(requesting: .max(2))
        recorder.onValue = { [self] value in
            if value == 0 {
                onAnotherThread { for value in 1...2 { subject.send(value) } }
                recorder.request(.max(1))
            }
            return .none
        }
        subject.subscribe(recorder)
        #expect(recorder.values == [0, 1, 2])
    }

    @Test func `A property that is set from inside of its own value loses none for another subscriber`() {
        let owner = Owner()
        let first = Recorder<Int, Never>()
        let second = Recorder<Int, Never>(requesting: nil)
        first.onValue = { value in
            if value == 1 {
                owner.number = 2
                second.request(.max(1))
            }
            return .none
        }
        owner.$number.subscribe(first)
        owner.$number.subscribe(second)
        owner.number = 1
        #expect(second.values == [2])
        second.request(.max(1))
        #expect(second.values == [2, 1])
        #expect(owner.number == 1)
    }
}
