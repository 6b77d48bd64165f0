import Combine
import Foundation

/// What an operator promises, beyond what all do.
struct Promise {
    /// How events may come where two threads send.
    var whenBothSend = Order.free
    /// Whether each value leads to one, if there is demand.
    var passes = true
    /// Whether it may send more than is asked for.
    var countsDemand = true
    /// Pairs that do not have to work, each with the reason.
    var leftOut: [String: String] = [:]

    static let free = Promise()
    static let endsLast = Promise(whenBothSend: .endLast)
    static let ends = Promise(whenBothSend: .endLast, passes: false)
    static let serial = Promise(whenBothSend: .serial)
    static let skips = Promise(passes: false)
    static let remembers = Promise(leftOut: withTwoSenders)
    static let folds = Promise(passes: false, leftOut: withTwoSenders)
    static let endsByCount = Promise(
        whenBothSend: .endLast, passes: false,
        leftOut: beside("it passes values after the upstream's end, as Apple's does"))
    static let endsByOther = Promise(
        whenBothSend: .endLast, passes: false,
        leftOut: beside("an upstream that ends while it sends a value has the value overtaken"))
    static let passesEveryEnd = Promise(
        passes: false,
        leftOut: ["the end", "a failure"].reduce(into: [:]) { leftOut, one in
            for other in ["the end of the other", "a failure of the other"] {
                leftOut["\(one) and \(other)"] = "both ends are passed, as by Apple's"
            }
        })
    static let catches = Promise(
        leftOut: beside("it passes values after the upstream's end, as Apple's does").merging([
            "a failure and a cancel": "a cancel does nothing until the second publisher has come, as in Apple's"
        ]) { first, _ in first })

    private static var withTwoSenders: [String: String] {
        let reason = "it remembers values without a lock, as Apple's does: one thread at a time may send"
        return beside(reason).merging(["a value and a value": reason, "the end and a failure": reason]) { first, _ in
            first
        }
    }

    private static func beside(_ reason: String) -> [String: String] {
        ["a value and the end": reason, "a value and a failure": reason]
    }
}

private struct Below: TopLevelDecoder {
    func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
        guard let value = number as? T else { throw Broken() }
        return value
    }
}

extension Scenario {
    /// An operator whose subscriber wants everything, and one whose subscriber has asked for one value, and for none.
    static func operating<Chain: Publisher>(
        _ name: String, _ promise: Promise = .free, _ build: @escaping (Source<Int>) -> Chain
    ) -> [Scenario] {
        [nil, 1, 0].map { demand in
            Scenario(name: named(name, demand), leftOut: promise.leftOut) { bothAreSent in
                let source = Source<Int>()
                let probe = Probe<Chain.Output, Chain.Failure>(
                    requesting: demand, bothAreSent ? promise.whenBothSend : .serial, countsDemand: promise.countsDemand
                )
                build(source).subscribe(probe)
                return Situation(
                    actions: source.actions() + probe.actions,
                    check: { probe.check([source], passes: promise.passes) })
            }
        }
    }

    static func named(_ name: String, _ demand: Int?) -> String { name + (demand.map { ", \($0) requested" } ?? "") }

    static let oneUpstream: [Scenario] =
        operating("map") { $0.map { $0 + 1 } }
        + operating("filter") { $0.filter { $0 > 0 } }
        + operating("tryMap") { $0.tryMap { $0 + 1 } }
        + operating("tryFilter", .endsLast) { $0.tryFilter { $0 > 0 } }
        + operating("compactMap") { $0.compactMap { $0 } }
        + operating("prefix(while:)", .endsLast) { $0.prefix { $0 > 0 } }
        + operating("prefix(while:), ending", .ends) { $0.prefix { _ in false } }
        + operating("tryPrefix(while:), failing", .ends) { $0.tryPrefix { _ in throw Broken() } }
        + operating("drop(while:)") { $0.drop { $0 < 1 } }
        + operating("tryDrop(while:)", .endsLast) { $0.tryDrop { $0 < 1 } }
        + operating("dropFirst", .skips) { $0.dropFirst() }
        + operating("prefix", .endsByCount) { $0.prefix(1) }
        + operating("output(in:)", .endsByCount) { $0.output(in: 1..<3) }
        + operating("removeDuplicates", .remembers) { $0.removeDuplicates() }
        + operating("tryRemoveDuplicates", .remembers) { $0.tryRemoveDuplicates { $0 == $1 } }
        + operating("scan", .remembers) { $0.scan(0, +) }
        + operating("tryScan", .remembers) { $0.tryScan(0, +) }
        + operating("first", .folds) { $0.first() }
        + operating("first(where:)", .folds) { $0.first { $0 > 0 } }
        + operating("contains", .folds) { $0.contains(1) }
        + operating("allSatisfy", .folds) { $0.allSatisfy { $0 > 0 } }
        + operating("last", .folds) { $0.last() }
        + operating("count", .folds) { $0.count() }
        + operating("collect", .folds) { $0.collect() }
        + operating("reduce", .folds) { $0.reduce(0, +) }
        + operating("tryReduce", .folds) { $0.tryReduce(0, +) }
        + operating("max", .folds) { $0.max() }
        + operating("collect(2)", .skips) { $0.collect(2) }
        + operating("ignoreOutput", .skips) { $0.ignoreOutput() }
        + operating("replaceEmpty", Promise(countsDemand: false)) { $0.replaceEmpty(with: 0) }
        + operating("replaceError") { $0.replaceError(with: 0) }
        + operating("mapError") { $0.mapError { $0 } }
        + operating("catch", .catches) { $0.catch { _ in [7, 8].publisher } }
        + operating("tryCatch", .catches) { $0.tryCatch { _ in Just(7) } }
        + operating("retry") { $0.retry(1) }
        + operating("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) }
        + operating("assertNoFailure after replaceError") { $0.replaceError(with: 0).assertNoFailure() }
        + operating("decode", .endsLast) { $0.decode(type: Int.self, decoder: Below()) }
        + operating("buffer, keepFull") { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }
        + operating("buffer, byRequest") { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest) }
        + operating("flatMap to one value") { $0.flatMap { Just($0) } }
        + operating("flatMap to a sequence", .serial) { $0.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher } }
        + operating("switchToLatest", .serial) { $0.map { Just($0) }.switchToLatest() }
        + operating("append", .free) { $0.append([7, 8]) }
        + operating("prepend", .free) { $0.prepend([7]) }
        + operating("measureInterval", .remembers) { $0.measureInterval(using: ImmediateScheduler.shared) }
        + operating("eraseToAnyPublisher") { $0.eraseToAnyPublisher() }
}

extension Source where Output == Int {
    func actions(_ suffix: String = "") -> [Action] {
        [
            Action(name: "a value" + suffix, isSent: true) { self.send(1) },
            Action(name: "the end" + suffix, isSent: true, run: finish),
            Action(name: "a failure" + suffix, isSent: true, run: fail),
        ]
    }
}

extension Probe {
    var actions: [Action] {
        [Action(name: "a request") { self.request(1) }, Action(name: "a cancel", run: cancel)]
    }

    /// After a cancel nothing comes; without one, what is sent and asked for comes, and then the end.
    func check(_ upstreams: [Source<Int>], passes: Bool, then: () -> Void = {}) {
        let hadEnded = ends > 0 || upstreams.contains { $0.hasEnded }
        let before = isCancelled ? events : values.count
        request(10)
        then()
        upstreams.forEach { $0.send(100) }
        then()
        if !isCancelled { expect(!passes || hadEnded || values.count > before, "demand was lost") }
        for _ in 0..<2 {
            upstreams.forEach { $0.finish() }
            then()
        }
        if isCancelled {
            expect(events == before, "something came after a cancel")
            expect(upstreams.allSatisfy { $0.isLeft }, "an upstream was not cancelled")
        } else {
            expect(ends == 1, "\(ends) ends came")
        }
    }
}
