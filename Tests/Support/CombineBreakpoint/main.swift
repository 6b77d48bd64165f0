import Combine
import Foundation

// Stops at a breakpoint, at the event that the argument names. What it writes shows how far it came.

struct Broken: Error {}

func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

let numbers = [1].publisher.setFailureType(to: Broken.self)
let stopping: Publishers.Breakpoint<AnyPublisher<Int, Broken>> =
    switch CommandLine.arguments.dropFirst().first {
    case "subscription": numbers.eraseToAnyPublisher().breakpoint(receiveSubscription: { _ in true })
    case "output": numbers.eraseToAnyPublisher().breakpoint(receiveOutput: { _ in true })
    case "completion": numbers.eraseToAnyPublisher().breakpoint(receiveCompletion: { _ in true })
    case "error": Fail(error: Broken()).eraseToAnyPublisher().breakpointOnError()
    case let event: fatalError("Expected subscription, output, completion or error, but found \(event ?? "nothing").")
    }
say("before")
_ = stopping.sink(receiveCompletion: { _ in say("completion") }, receiveValue: { _ in say("output") })
say("after")
