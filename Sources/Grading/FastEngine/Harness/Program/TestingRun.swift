// Runs the tests of Swift Testing by its own entry point.
import Foundation
import Glibc

// The engine compiles these files together with `Wire`, as one module.
#if canImport(Wire)
import Wire
#endif

typealias TestingEntryPoint =
    @convention(thin) @Sendable (
        _ configuration: UnsafeRawBufferPointer?,
        _ record: @escaping @Sendable (_ json: UnsafeRawBufferPointer) -> Void
    ) async throws -> Bool

struct TestingOptions: Encodable {
    var parallel = false
    var verbosity = Int.min
    var filter: [String]
}

/// Runs each group of tests after the one before it.
func runTesting(_ groups: [[String]], events: Events) async {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swt_abiv0_getEntryPoint") else {
        events.send(.broken, texts: ["swt_abiv0_getEntryPoint"])
        return
    }
    let getEntryPoint = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeRawPointer).self)
    let entryPoint = unsafeBitCast(getEntryPoint(), to: TestingEntryPoint.self)
    for tests in groups where !tests.isEmpty { await runTesting(tests, entryPoint, events: events) }
}

func runTesting(_ tests: [String], _ entryPoint: TestingEntryPoint, events: Events) async {
    let filter = tests.map { "^[^.]+\\." + NSRegularExpression.escapedPattern(for: $0) + "(/|$)" }
    guard let options = try? JSONEncoder().encode(TestingOptions(filter: filter)) else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: options.count, alignment: 1)
    defer { buffer.deallocate() }
    options.copyBytes(to: buffer)
    do {
        _ = try await entryPoint(UnsafeRawBufferPointer(buffer)) { json in
            switch TestingEvent(json: Data(json)) {
            case .started(let test): events.sendStart(of: test)
            case .ended(let test): events.sendEnd(of: test)
            case .skipped(let test): events.send(.skipped, test: test)
            case .issue(let test, let texts): events.sendIssue(test: test, texts: texts)
            case .runStarted, .other: return
            }
        }
    } catch {
        events.send(.broken, texts: ["\(error)"])
    }
}
