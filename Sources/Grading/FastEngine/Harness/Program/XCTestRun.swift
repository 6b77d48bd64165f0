// Runs the tests of XCTest, one after the other.
import Dispatch
import Foundation
import Glibc
import XCTest

final class XCTestEvents: NSObject, XCTestObservation {
    let events: Events
    init(_ events: Events) { self.events = events }

    static func name(_ test: XCTestCase) -> String {
        // `Suite.testThrows`, where the engine says `Suite/testThrows`.
        test.name.replacingOccurrences(of: ".", with: "/")
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        events.sendStart(of: Self.name(testCase))
    }

    func testCase(_ testCase: XCTestCase, didFailWithDescription description: String, inFile: String?, atLine: Int) {
        events.sendIssue(test: Self.name(testCase), texts: [description])
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
        let run = testCase.testRun
        if run?.hasBeenSkipped == true || (run?.executionCount ?? 0) == 0 {
            events.send(.skipped, test: Self.name(testCase))
        }
        events.sendEnd(of: Self.name(testCase))
    }
}

func runXCTest(_ tests: [String], image: UnsafeMutableRawPointer, events: Events) {
    // Swift's own calling convention: the image is compiled from the engine's list, by the same compiler as this file.
    typealias List = @convention(thin) () -> [(id: String, entry: XCTestCaseEntry)]
    var entries: [String: XCTestCaseEntry] = [:]
    for name in ["kataXCTests", "kataControlTests"] {
        guard let symbol = dlsym(image, name) else {
            events.send(.broken, texts: [name])
            return
        }
        for test in unsafeBitCast(symbol, to: List.self)() { entries[test.id] = test.entry }
    }
    let observer = XCTestEvents(events)
    XCTestObservationCenter.shared.addTestObserver(observer)
    let timer = XCTestTimer()
    xctestTimer = timer
    // Swift Testing's tests come next, and nothing of them waits for a timer.
    defer {
        xctestTimer = nil
        timer.cancel()
    }
    for test in tests {
        guard let entry = entries[test] else { continue }
        for (name, body) in entry.allTests { entry.testCaseClass.init(name: name, testClosure: body).run() }
    }
}

/// XCTest now and then misses the end of `setUp() async` and the like, and looks again after 100 ms or when its run loop has
/// done something. While an async test's body runs, nothing of XCTest waits (see `XCTestEntries`), and no timer wakes this process.
final class XCTestTimer {
    private let timer = DispatchSource.makeTimerSource(queue: .main)

    init() {
        timer.schedule(deadline: .now(), repeating: .milliseconds(10))
        timer.setEventHandler {}
        timer.resume()
    }

    func cancel() { timer.cancel() }

    func bodyRuns(_ runs: Bool) {
        if runs { timer.suspend() } else { timer.resume() }
    }
}

/// For a function that can capture nothing.
nonisolated(unsafe) var xctestTimer: XCTestTimer?  // set before the first test, and used on the main thread

@_cdecl("harness_bodyRuns")
public func bodyRuns(_ runs: Bool) { xctestTimer?.bodyRuns(runs) }
