import Combine
import Synchronization

typealias Numbers = PassthroughSubject<Int, Never>

/// A sum that several threads add to.
final class Sum {
    private let value = Atomic<Int>(0)

    func add(_ number: Int) { value.add(number, ordering: .relaxed) }

    var total: Int { value.load(ordering: .relaxed) }
}

/// One situation in which several threads meet. Each is run many times.
struct Scenario {
    let name: String
    let run: (_ values: Int) -> Void

    static let all =
        [
            passthroughSubject, subscribersComeAndGo, cancelWhileReceiving, currentValueSubject, requestsAndCancel,
            merge, mergeWithDemand, zip, zipFailure, combineLatest, flatMap, flatMapWithDemand, flatMapToKnown, buffer,
            switchToLatest, share, untilOutput, concatenate, endsByItself,
        ] + time
}

/// 0, 1, … count - 1 added up.
func sum(to count: Int) -> Int { count * (count - 1) / 2 }

private func send(_ count: Int, to subject: Numbers) {
    for number in 0..<count { subject.send(number) }
}

extension Scenario {
    static let passthroughSubject = Scenario(name: "PassthroughSubject") { values in
        let subject = Numbers()
        let sums = [Sum(), Sum()]
        let inspectors = sums.map { sum in
            Inspector<Int, Never>("PassthroughSubject", isSerial: false) { sum.add($0) }
        }
        for inspector in inspectors { subject.subscribe(inspector) }
        together({ send(values, to: subject) }, { send(values, to: subject) }, { send(values, to: subject) })
        subject.send(completion: .finished)
        for (inspector, total) in Swift.zip(inspectors, sums) {
            expect(total.total == 3 * sum(to: values), "PassthroughSubject: \(total.total) arrived")
            expect(inspector.ends.load(ordering: .relaxed) == 1, "PassthroughSubject: no end arrived")
            inspector.letGo()
        }
    }

    static let subscribersComeAndGo = Scenario(name: "PassthroughSubject, subscribers come and go") { values in
        let subject = Numbers()
        let own = Numbers()
        let stays = Inspector<Int, Never>("a subscriber that stays", isSerial: false)
        subject.subscribe(stays)
        let comesAndGoes: () -> Void = {
            for _ in 0..<values / 4 {
                let count = Sum()
                let mine = subject.merge(with: own).sink { _ in count.add(1) }
                mine.cancel()
                let before = count.total
                // This thread has cancelled, so that what it sends now must not arrive.
                own.send(1)
                expect(count.total - before <= 1, "a value came after a cancel")
            }
        }
        let cancelThenSend: () -> Void = {
            for _ in 0..<values / 4 {
                let lone = Numbers()
                let count = Sum()
                let mine = lone.sink { _ in count.add(1) }
                lone.send(1)
                mine.cancel()
                lone.send(2)
                expect(count.total == 1, "a value came after the same thread had cancelled")
            }
        }
        together({ send(values, to: subject) }, comesAndGoes, comesAndGoes, cancelThenSend)
        expect(stays.received.load(ordering: .relaxed) == values, "one that stayed missed values")
        stays.cancel()
        stays.letGo()
    }

    static let cancelWhileReceiving = Scenario(name: "a cancel or the end while another thread sends") { values in
        /// Counts itself, so that one that is held too long shows, and reads itself, so that one that is gone too early does.
        final class Canary {
            private let alive: Sum
            private let isAlive = Atomic<Bool>(true)

            init(_ alive: Sum) {
                self.alive = alive
                alive.add(1)
            }

            func sing() {
                expect(isAlive.load(ordering: .relaxed), "what a sink holds was gone while it received")
            }

            deinit {
                isAlive.store(false, ordering: .relaxed)
                alive.add(-1)
            }
        }
        let alive = Sum()
        func sink(_ subject: some Publisher<Int, Never>) -> AnyCancellable {
            let canary = Canary(alive)
            return subject.sink { _ in canary.sing() }
        }
        let alone = Numbers()
        let shared = Numbers()
        let current = CurrentValueSubject<Int, Never>(0)
        func comeAndGo(_ subject: some Publisher<Int, Never>) -> () -> Void {
            {
                for _ in 0..<values {
                    let cancellable = sink(subject)
                    alone.send(-1)
                    shared.send(-1)
                    cancellable.cancel()
                }
            }
        }
        together({ send(values, to: alone) }, { send(values, to: alone) }, comeAndGo(alone))
        together({ send(values, to: shared) }, comeAndGo(shared), comeAndGo(shared.map { $0 + 1 }))
        together({ for number in 0..<values { current.send(number) } }, comeAndGo(current))
        for _ in 0..<values / 20 {
            let subject = Numbers()
            let cancellables = [sink(subject), sink(subject)]
            together(
                { send(values / 10, to: subject) }, { send(values / 10, to: subject) },
                {
                    subject.send(0)
                    subject.send(completion: .finished)
                }, cancellables[0].cancel)
        }
        expect(alive.total == 0, "\(alive.total) sinks are held after their end")
    }

    static let currentValueSubject = Scenario(name: "CurrentValueSubject") { values in
        let subject = CurrentValueSubject<Int, Never>(-1)
        let limited = Inspector<Int, Never>("CurrentValueSubject", requesting: 0, isSerial: false)
        let unlimited = Inspector<Int, Never>("CurrentValueSubject", isSerial: false)
        subject.subscribe(limited)
        subject.subscribe(unlimited)
        together(
            { for number in 0..<values { subject.send(number) } },
            { for number in 0..<values { subject.value = number } },
            { for _ in 0..<values { limited.request(1) } },
            { for _ in 0..<values { _ = subject.value } })
        expect(subject.value == values - 1, "CurrentValueSubject kept \(subject.value)")
        expect(
            unlimited.received.load(ordering: .relaxed) == 2 * values + 1, "CurrentValueSubject lost a value")
        subject.send(completion: .finished)
        expect(limited.ends.load(ordering: .relaxed) == 1, "CurrentValueSubject: no end arrived")
        limited.letGo()
        unlimited.letGo()
    }

    static let requestsAndCancel = Scenario(name: "requests and a cancel from other threads") { values in
        let subject = Numbers()
        let inspector = Inspector<Int, Never>("map and filter", requesting: 1, perValue: 1)
        subject.map { $0 + 1 }.filter { $0 % 2 == 0 }.subscribe(inspector)
        together(
            { send(values, to: subject) },
            { for _ in 0..<values { inspector.request(1) } },
            {
                for _ in 0..<values / 2 { inspector.request(2) }
                inspector.cancel()
            })
        let before = inspector.received.load(ordering: .relaxed)
        send(4, to: subject)
        expect(inspector.received.load(ordering: .relaxed) == before, "a value came after a cancel")
        inspector.letGo()
    }

    static let merge = Scenario(name: "merge") { values in
        let subjects = [Numbers(), Numbers(), Numbers()]
        let total = Sum()
        var latest = [-1, -1, -1]
        let inspector = Inspector<(Int, Int), Never>("merge") { index, number in
            // Not guarded by anything: a merge sends one value after the other, and each subject's in their order.
            expect(number > latest[index], "merge: \(number) of \(index) came after \(latest[index])")
            latest[index] = number
            total.add(number)
        }
        Publishers.Merge3(subjects[0].map { (0, $0) }, subjects[1].map { (1, $0) }, subjects[2].map { (2, $0) })
            .subscribe(inspector)
        let sends = subjects.map { subject in
            {
                send(values, to: subject)
                subject.send(completion: .finished)
            }
        }
        together(sends[0], sends[1], sends[2])
        expect(total.total == 3 * sum(to: values), "merge: \(total.total) arrived")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "merge: no end arrived")
        inspector.letGo()
    }

    static let mergeWithDemand = Scenario(name: "merge with demand") { values in
        let total = Sum()
        let gates = [Numbers(), Numbers()]
        let inspector = Inspector<Int, Never>("merge with demand", requesting: 1) { total.add($0) }
        // Sequences wait for demand, so that nothing is lost.
        gates[0].first().flatMap { _ in (0..<values).publisher }
            .merge(with: gates[1].first().flatMap { _ in (0..<values).publisher })
            .subscribe(inspector)
        together(
            { gates[0].send(0) }, { gates[1].send(0) },
            { for _ in 0..<values { inspector.request(1) } },
            { for _ in 0..<values { inspector.request(1) } })
        expect(total.total == 2 * sum(to: values), "merge with demand: \(total.total) arrived")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "merge with demand: no end arrived")
        inspector.letGo()
    }

    static let zip = Scenario(name: "zip") { values in
        let a = Numbers()
        let b = Numbers()
        let c = Numbers()
        var next = 0
        let inspector = Inspector<(Int, Int, Int), Never>("zip") { first, second, third in
            expect((first, second, third) == (next, next, next), "zip: \((first, second, third)) at \(next)")
            next += 1
        }
        a.zip(b, c).subscribe(inspector)
        together({ send(values, to: a) }, { send(values, to: b) }, { send(values, to: c) })
        expect(next == values, "zip: \(next) arrived")
        together(
            { a.send(completion: .finished) }, { b.send(completion: .finished) }, { c.send(completion: .finished) })
        expect(inspector.ends.load(ordering: .relaxed) == 1, "zip: no end arrived")
        inspector.letGo()
    }

    static let zipFailure = Scenario(name: "zip, and a failure and a cancel among the values") { values in
        struct Broken: Error {}
        let a = PassthroughSubject<Int, Broken>()
        let b = PassthroughSubject<Int, Broken>()
        let failing = Inspector<(Int, Int), Broken>("zip that fails")
        let cancelled = Inspector<(Int, Int), Broken>("zip that is cancelled", requesting: 0)
        a.zip(b).subscribe(failing)
        a.zip(b).subscribe(cancelled)
        together(
            { for number in 0..<values { a.send(number) } },
            {
                for number in 0..<values / 2 { b.send(number) }
                b.send(completion: .failure(Broken()))
            },
            {
                for _ in 0..<values / 4 { cancelled.request(1) }
                cancelled.cancel()
            })
        expect(failing.ends.load(ordering: .relaxed) == 1, "zip that fails: no end arrived")
        failing.letGo()
        cancelled.letGo()
    }

    static let combineLatest = Scenario(name: "combineLatest") { values in
        let a = Numbers()
        let b = Numbers()
        let c = Numbers()
        var latest = (-1, -1, -1)
        let inspector = Inspector<(Int, Int, Int), Never>("combineLatest") { first, second, third in
            expect(
                first >= latest.0 && second >= latest.1 && third >= latest.2,
                "combineLatest: \((first, second, third)) came after \(latest)")
            latest = (first, second, third)
        }
        a.combineLatest(b, c).subscribe(inspector)
        for subject in [a, b, c] { subject.send(-1) }
        together({ send(values, to: a) }, { send(values, to: b) }, { send(values, to: c) })
        expect(latest == (values - 1, values - 1, values - 1), "combineLatest: ended with \(latest)")
        let received = inspector.received.load(ordering: .relaxed)
        expect(received == 3 * values + 1, "combineLatest: \(received) combinations arrived")
        together(
            { a.send(completion: .finished) }, { b.send(completion: .finished) }, { c.send(completion: .finished) })
        expect(inspector.ends.load(ordering: .relaxed) == 1, "combineLatest: no end arrived")
        inspector.letGo()
    }

    static let flatMap = Scenario(name: "flatMap") { values in
        let publishers = PassthroughSubject<Numbers, Never>()
        let inner = [Numbers(), Numbers(), Numbers()]
        let total = Sum()
        let inspector = Inspector<Int, Never>("flatMap") { total.add($0) }
        publishers.flatMap { $0 }.subscribe(inspector)
        for subject in inner { publishers.send(subject) }
        let sends = inner.map { subject in
            {
                send(values, to: subject)
                subject.send(completion: .finished)
            }
        }
        together(
            sends[0], sends[1], sends[2],
            {
                for _ in 0..<values { publishers.send(Numbers()) }
                publishers.send(completion: .finished)
            })
        expect(total.total == 3 * sum(to: values), "flatMap: \(total.total) arrived")
        inspector.cancel()
        inspector.letGo()
    }

    static let flatMapToKnown = Scenario(name: "flatMap to a known value") { values in
        let total = Sum()
        let limited = Inspector<Int, Never>("flatMap to a known value", requesting: 1) { total.add($0) }
        (0..<2 * values).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(limited)
        let totalOfAll = Sum()
        let unlimited = Inspector<Int, Never>("flatMap to a known value, unlimited") { totalOfAll.add($0) }
        let subject = Numbers()
        subject.flatMap { Just($0) }.subscribe(unlimited)
        together(
            { send(values, to: subject) }, { send(values, to: subject) },
            { for _ in 0..<values { limited.request(1) } },
            { for _ in 0..<values { limited.request(1) } })
        subject.send(completion: .finished)
        expect(total.total == sum(to: 2 * values), "flatMap to a known value: \(total.total) arrived")
        expect(
            totalOfAll.total == 2 * sum(to: values),
            "flatMap to a known value, unlimited: \(totalOfAll.total) arrived")
        for inspector in [limited, unlimited] {
            expect(inspector.ends.load(ordering: .relaxed) == 1, "flatMap to a known value: no end arrived")
            inspector.letGo()
        }
    }

    static let flatMapWithDemand = Scenario(name: "flatMap with demand") { values in
        let total = Sum()
        let gate = PassthroughSubject<Range<Int>, Never>()
        let inspector = Inspector<Int, Never>("flatMap with demand", requesting: 0) { total.add($0) }
        gate.flatMap { $0.publisher }.subscribe(inspector)
        together(
            { gate.send(0..<values) }, { gate.send(0..<values) },
            { for _ in 0..<values { inspector.request(1) } },
            { for _ in 0..<values { inspector.request(1) } })
        gate.send(completion: .finished)
        expect(total.total == 2 * sum(to: values), "flatMap with demand: \(total.total) arrived")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "flatMap with demand: no end arrived")
        inspector.letGo()
    }

    static let buffer = Scenario(name: "buffer") { values in
        for prefetch in [Publishers.PrefetchStrategy.keepFull, .byRequest] {
            let subject = Numbers()
            let total = Sum()
            let inspector = Inspector<Int, Never>("buffer", requesting: 0) { total.add($0) }
            subject.buffer(size: 2 * values, prefetch: prefetch, whenFull: .dropNewest).subscribe(inspector)
            // One more than there are values: the end is sent only where there is demand for another.
            inspector.request(1)
            together(
                {
                    send(values, to: subject)
                    subject.send(completion: .finished)
                },
                { for _ in 0..<values { inspector.request(1) } })
            expect(total.total == sum(to: values), "buffer: \(total.total) arrived")
            expect(inspector.ends.load(ordering: .relaxed) == 1, "buffer: no end arrived")
            inspector.letGo()
        }
    }

    static let switchToLatest = Scenario(name: "switchToLatest") { values in
        let publishers = PassthroughSubject<Numbers, Never>()
        let inner = [Numbers(), Numbers()]
        let inspector = Inspector<Int, Never>("switchToLatest", requesting: 1, perValue: 1)
        publishers.switchToLatest().subscribe(inspector)
        publishers.send(inner[0])
        together(
            { send(values, to: inner[0]) }, { send(values, to: inner[1]) },
            { for number in 0..<values { publishers.send(inner[number % 2]) } },
            { for _ in 0..<values { inspector.request(1) } })
        let before = inspector.received.load(ordering: .relaxed)
        publishers.send(inner[0])
        inner[1].send(1)
        expect(inspector.received.load(ordering: .relaxed) == before, "switchToLatest: one that was left still sends")
        inner[0].send(1)
        expect(inspector.received.load(ordering: .relaxed) == before + 1, "switchToLatest: demand was lost")
        together({ inner[0].send(completion: .finished) }, { publishers.send(completion: .finished) })
        expect(inspector.ends.load(ordering: .relaxed) == 1, "switchToLatest: no end arrived")
        inspector.letGo()
    }

    static let share = Scenario(name: "share") { values in
        let subject = Numbers()
        let connections = Sum()
        let shared = subject.handleEvents(
            receiveSubscription: { _ in connections.add(1) }, receiveCancel: { connections.add(-1) }
        ).share()
        let comesAndGoes: () -> Void = {
            for _ in 0..<values / 4 {
                let inspector = Inspector<Int, Never>("share", requesting: 2, perValue: 1, isSerial: false)
                shared.subscribe(inspector)
                inspector.request(3)
                inspector.cancel()
                inspector.letGo()
            }
        }
        together({ send(values, to: subject) }, comesAndGoes, comesAndGoes)
        expect(connections.total == 0, "share: \(connections.total) connections are left")
        let total = Sum()
        let last = shared.sink { total.add($0) }
        send(values, to: subject)
        last.cancel()
        expect(total.total == sum(to: values), "share: \(total.total) arrived")
    }

    static let untilOutput = Scenario(name: "drop and prefix until output") { values in
        let subject = Numbers()
        let begin = Numbers()
        let stop = Numbers()
        let inspector = Inspector<Int, Never>("until output")
        subject.drop(untilOutputFrom: begin).prefix(untilOutputFrom: stop).subscribe(inspector)
        together(
            { send(values, to: subject) },
            { begin.send(1) },
            { stop.send(1) })
        let before = inspector.received.load(ordering: .relaxed)
        send(3, to: subject)
        expect(inspector.received.load(ordering: .relaxed) == before, "until output: a value came after the end")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "until output: no end arrived")
        inspector.letGo()
    }

    static let concatenate = Scenario(name: "append") { values in
        let subject = Numbers()
        let total = Sum()
        let inspector = Inspector<Int, Never>("append", requesting: 1) { total.add($0) }
        (0..<values).publisher.append(subject.buffer(size: values, prefetch: .keepFull, whenFull: .dropNewest))
            .subscribe(inspector)
        together(
            { for _ in 0..<values { inspector.request(1) } },
            { for _ in 0..<values { inspector.request(1) } })
        send(values, to: subject)
        subject.send(completion: .finished)
        expect(total.total == 2 * sum(to: values), "append: \(total.total) arrived")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "append: no end arrived")
        inspector.letGo()
    }

    static let endsByItself = Scenario(name: "operators that end by themselves") { values in
        struct Refused: Error {}
        struct Below: TopLevelDecoder {
            let end: Int

            func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
                guard number < end, let value = number as? T else { throw Refused() }
                return value
            }
        }
        func inspect(_ name: String, _ chain: (Numbers) -> some Publisher<Int, any Error>) {
            let subject = Numbers()
            let underWay = Sum()
            let ends = Sum()
            let cancellable = chain(subject).sink { _ in
                ends.add(1)
                expect(underWay.total == 0, "\(name): the end came while a value was on its way")
            } receiveValue: { _ in
                underWay.add(1)
                underWay.add(-1)
            }
            let sendToTheEnd = { send(values + 1, to: subject) }
            together(sendToTheEnd, sendToTheEnd, sendToTheEnd)
            expect(ends.total == 1, "\(name): \(ends.total) ends came")
            cancellable.cancel()
        }
        inspect("prefix") { $0.prefix(values).setFailureType(to: (any Error).self) }
        inspect("decode") { $0.decode(type: Int.self, decoder: Below(end: values)) }
        inspect("prefix(untilOutputFrom:)") { numbers in
            numbers.prefix(untilOutputFrom: numbers.filter { $0 == values }).setFailureType(to: (any Error).self)
        }
    }
}
