import Combine
import Foundation
import TestSupport
import Testing

@Suite struct DebuggingTests {
    private final class Lines: TextOutputStream {
        var text = ""

        func write(_ string: String) { text += string }
    }

    @Test func `Print writes down everything that passes`() {
        let lines = Lines()
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(2), perValue: .max(1))
        upstream.print("numbers", to: lines).subscribe(recorder)
        upstream.send(1)
        recorder.request(.unlimited)
        recorder.onValue = { _ in .unlimited }
        upstream.send(2)
        upstream.send(completion: .failure(Oops()))
        #expect(
            lines.text == """
                numbers: receive subscription: (ProbeSubscription)
                numbers: request max: (2)
                numbers: receive value: (1)
                numbers: request max: (1) (synchronous)
                numbers: request unlimited
                numbers: receive value: (2)
                numbers: request unlimited (synchronous)
                numbers: receive error: (oops)

                """)
    }

    @Test func `Print without a prefix writes only what happened`() {
        let lines = Lines()
        let recorder = Recorder<Int, Never>(requesting: nil)
        Just(1).print("", to: lines).subscribe(recorder)
        recorder.cancel()
        Empty<Int, Never>().print(to: lines).subscribe(recorder)
        #expect(
            lines.text == """
                receive subscription: (Just)
                receive cancel
                receive subscription: (Empty)
                receive finished

                """)
        #expect(recorder.events.first == .subscription("Print"))
    }

    @Test func `handleEvents tells of everything before it passes on`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(1), perValue: .max(2))
        var log: [String] = []
        recorder.onCompletion = { _ in log.append("downstream") }
        upstream.handleEvents(
            receiveSubscription: { log.append("subscription \($0)") }, receiveOutput: { log.append("output \($0)") },
            receiveCompletion: { log.append("\($0)") }, receiveCancel: { log.append("cancel") },
            receiveRequest: { log.append("request \($0)") }
        ).subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .finished)
        recorder.cancel()
        #expect(
            log == [
                "subscription ProbeSubscription", "request max(1)", "output 1", "request max(2)", "finished",
                "downstream",
            ])
        #expect(recorder.events.first == .subscription("HandleEvents"))
    }

    @Test func `handleEvents tells of a cancellation once`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        var count = 0
        upstream.handleEvents(receiveCancel: { count += 1 }).subscribe(recorder)
        recorder.cancel()
        recorder.cancel()
        #expect(count == 1)
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `A breakpoint that nobody wants stops nothing`() {
        let recorder = Recorder<Int, Oops>()
        Fail<Int, Oops>(error: Oops()).breakpoint(receiveCompletion: { _ in false }).subscribe(recorder)
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test(
        .startsPrograms, arguments: ["subscription", "output", "completion", "error"], [nil, "enable=yes", "enable=no"])
    func `A breakpoint ends the program where there is no debugger`(at event: String, backtrace: String?) async throws {
        let program = try Program.buildFolder.appendingPathComponent("combine-breakpoint").path
        let run = try await Program.run(
            [program, event], environment: backtrace.map { ["SWIFT_BACKTRACE": $0] } ?? [:])
        #expect(run.wasKilled && run.code == SIGTRAP, "\(run.code)")
        #expect(run.output == (event == "completion" ? "before\noutput\n" : "before\n"))
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.handleEvents(
                receiveSubscription: { _ in _ = witness }, receiveOutput: { _ in _ = witness },
                receiveCompletion: { _ in _ = witness }, receiveCancel: { _ = witness },
                receiveRequest: { _ in _ = witness }
            ).print("", to: Lines()).eraseToAnyPublisher()
        }
    }
}
