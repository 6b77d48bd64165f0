import Combine
import Testing

@Suite struct OutputTests {
    @Test func `Only values at these positions pass, and the last ends it`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(2), perValue: .max(4))
        upstream.output(in: 1...2).subscribe(recorder)
        #expect(upstream.send(0) == .max(1))
        #expect(upstream.send(1) == .max(4))
        #expect(upstream.send(2) == .max(4))
        upstream.send(3)
        #expect(recorder.events == [.subscription("Output"), .value(1), .value(2), .finished])
        #expect(upstream.events == [.requested(.max(2)), .cancelled])
    }

    @Test func `A prefix has at most so many values`() {
        let recorder = Recorder<Int, Never>()
        let subject = PassthroughSubject<Int, Never>()
        subject.prefix(2).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        #expect(recorder.signals == [.value(1), .value(2), .finished])
    }

    @Test func `A value that is sent from inside of the last does not pass`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { value in
            subject.send(value + 1)
            return .none
        }
        subject.output(at: 0).subscribe(recorder)
        subject.send(1)
        #expect(recorder.values == [1])
        #expect(recorder.signals.filter { $0 == .finished }.count == 1)
    }

    @Test func `A negative position traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = PassthroughSubject<Int, Never>().output(at: -1)
        }
        await #expect(processExitsWith: .failure) {
            _ = PassthroughSubject<Int, Never>().prefix(-1)
        }
    }
}
