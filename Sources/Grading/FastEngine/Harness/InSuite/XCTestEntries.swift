// How a suite's XCTest tests become tests that the harness can run. The engine adds the list of them (see `CompiledSuite`).
//
// XCTest waits for an `async` test with a timer, and looks every tenth of a second whether it has ended. KataSupport
// could then not tell whether code of the answer wakes again and again. Here the main thread sleeps until the test has ended.
import Dispatch
import Foundation
import XCTest

func kataXCTest<T: XCTestCase>(_ name: String, _ test: @escaping (T) -> () throws -> Void) -> XCTestCaseEntry {
    testCase([(name, test)])
}

func kataXCTest<T: XCTestCase>(_ name: String, _ test: @escaping (T) -> () async throws -> Void) -> XCTestCaseEntry {
    testCase([(name, { (testCase: T) in { try kataRunAsync(test(testCase)) } })])
}

private func kataRunAsync(_ body: @escaping () async throws -> Void) throws {
    typealias BodyRuns = @convention(c) (Bool) -> Void
    let bodyRuns = dlsym(nil, "harness_bodyRuns").map { unsafeBitCast($0, to: BodyRuns.self) }
    bodyRuns?(true)
    defer { bodyRuns?(false) }
    var result: Swift.Result<Void, any Error>?
    _Concurrency.Task {
        let ended: Swift.Result<Void, any Error>
        do {
            ended = .success(try await body())
        } catch {
            ended = .failure(error)
        }
        Dispatch.DispatchQueue.main.async { result = ended }
    }
    while result == nil { _ = Foundation.RunLoop.main.run(mode: .default, before: .distantFuture) }
    // Not `get()`: this is compiled with the suite, where a member of a submission's extension may hide it.
    if case .failure(let error)? = result { throw error }
}
