// The program that runs a suite. The engine compiles it once for a compiler, and starts it for every run.
//
// It reads what to do from descriptor 3, walls itself in, loads the suite and the submission as one image, and writes
// one line for each thing that happens to descriptor 4 (see `EventSeal`). The submission shares this process, so the key
// that lines are made with was read, and its descriptor closed, before any of the submission's code was there.
import Dispatch
// `stdout` is a variable in C.
@preconcurrency import Foundation
@preconcurrency import Glibc

// The engine compiles these files together with `Wire`, as one module.
#if canImport(Wire)
import Wire
#endif

/// The tests with those that have to fail before, between and after them.
func groups(_ tests: [String], _ controls: [String]) -> [[String]] {
    guard controls.count == 3 else { return [tests] }
    let half = (tests.count + 1) / 2
    return [[controls[0]], Array(tests[..<half]), [controls[1]], Array(tests[half...]), [controls[2]]]
}

@main
enum Harness {
    static func main() {
        if CommandLine.arguments.contains("--check-schedules") { checkSchedules() }
        var input = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(3, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            input.append(contentsOf: buffer[..<count])
        }
        close(3)
        // Whatever else came along through the programs in between is not for the submission.
        for descriptor in Int32(5)..<256 { close(descriptor) }
        guard let request = try? JSONDecoder().decode(RunRequest.self, from: input) else { _exit(64) }
        input.resetBytes(in: 0..<input.count)
        buffer = []

        setvbuf(stdout, nil, _IOLBF, 1 << 12)
        setenv("KATA_SEED", request.seed, 1)
        if let schedule = request.schedule { setenv("KATA_SCHEDULE", schedule, 1) }
        let support = Support(library: dlopen(request.support, RTLD_NOW | RTLD_GLOBAL))
        let events = Events(request, support: support)
        events.send(.opened)
        guard support.library != nil, let image = dlopen(request.image, RTLD_NOW | RTLD_LOCAL) else {
            events.send(.broken, texts: [dlerror().map { String(cString: $0) } ?? ""])
            _exit(65)
        }
        reportDeadlocks(support, to: events)
        if request.expectsHangs { support.call(.expectHangs) }
        if request.watchesRaces { support.call(.watchRaces) }
        limit(request)
        tellStrayAccesses()
        guard let images = LoadedImages(), events.thread.wallYourselfIn(), wallOffEvents(),
            install(filter(keeping: images.readOnly)), wallIn()
        else {
            events.send(.broken, texts: ["seccomp"])
            _exit(66)
        }
        events.images = images
        reportCrashes(support, to: events)

        // A run loop that has nothing to wait for comes back at once, to be run again.
        RunLoop.main.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
        if !request.xctest.isEmpty {
            let tests = groups(request.xctest, request.xctestControls).flatMap { $0 }
            runXCTest(tests, image: image, events: events)
        }
        if request.testing.isEmpty {
            events.send(.closed)
            _exit(0)
        }
        Task.detached {
            await runTesting(groups(request.testing, request.testingControls), events: events)
            events.send(.closed)
            _exit(0)
        }
        // The main run loop serves the main queue, the main actor and what an answer adds to `RunLoop.main`.
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
