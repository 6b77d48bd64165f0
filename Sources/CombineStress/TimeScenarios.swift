import Combine

extension Scenario {
    static let time = [
        receiveOn, delay, debounce, throttle, collectByTime, timeout, measureInterval, cancelInTime, subscribeOn,
    ]

    /// One thread sends, the scheduler's thread delivers; `check` sees what came.
    private static func inTime<Output>(
        _ name: String,
        _ pipeline: @escaping (Numbers, VirtualThread) -> AnyPublisher<Output, Never>,
        onValue: @escaping (Output, Sum) -> Void,
        check: @escaping (_ values: Int, _ received: Int, _ total: Int) -> Bool
    ) -> Scenario {
        Scenario(name: name) { values in
            let subject = Numbers()
            let thread = VirtualThread()
            let total = Sum()
            let inspector = Inspector<Output, Never>(name) { onValue($0, total) }
            pipeline(subject, thread).subscribe(inspector)
            together(
                {
                    for number in 0..<values { subject.send(number) }
                    subject.send(completion: .finished)
                    thread.close()
                },
                thread.run)
            let received = inspector.received.load(ordering: .relaxed)
            expect(check(values, received, total.total), "\(name): \(received) values came, \(total.total) in all")
            expect(inspector.ends.load(ordering: .relaxed) == 1, "\(name): no end arrived")
            inspector.letGo()
        }
    }

    static let receiveOn = inTime(
        "receive(on:)", { $0.receive(on: $1).eraseToAnyPublisher() }, onValue: { $1.add($0) },
        check: { values, _, total in total == sum(to: values) })

    static let delay = inTime(
        "delay", { $0.delay(for: .seconds(1), scheduler: $1).eraseToAnyPublisher() }, onValue: { $1.add($0) },
        check: { values, _, total in total == sum(to: values) })

    static let debounce = inTime(
        "debounce", { $0.debounce(for: .seconds(1), scheduler: $1).eraseToAnyPublisher() }, onValue: { $1.add($0) },
        check: { values, received, total in received <= values && total <= sum(to: values) })

    static let throttle = inTime(
        "throttle",
        {
            $0.throttle(for: .seconds(1), scheduler: $1, latest: true)
                .throttle(for: .seconds(1), scheduler: $1, latest: false).eraseToAnyPublisher()
        },
        onValue: { $1.add($0) },
        check: { values, received, total in received <= values && total <= sum(to: values) })

    static let collectByTime = inTime(
        "collect by time", { $0.collect(.byTimeOrCount($1, .seconds(1), 7)).eraseToAnyPublisher() },
        onValue: { numbers, total in numbers.forEach(total.add) },
        check: { values, _, total in total == sum(to: values) })

    static let timeout = inTime(
        "timeout", { $0.timeout(.seconds(1), scheduler: $1).eraseToAnyPublisher() }, onValue: { $1.add($0) },
        check: { values, received, total in received <= values && total <= sum(to: values) })

    static let measureInterval = inTime(
        "measureInterval", { $0.measureInterval(using: $1).eraseToAnyPublisher() }, onValue: { _, _ in },
        check: { values, received, _ in received == values })

    static let cancelInTime = Scenario(name: "a cancel while the scheduler delivers") { values in
        let subject = Numbers()
        let thread = VirtualThread()
        let inspector = Inspector<Int, Never>("a cancel in time", requesting: 2, perValue: 1)
        subject.delay(for: .seconds(1), scheduler: thread).receive(on: thread)
            .debounce(for: .seconds(1), scheduler: thread).subscribe(inspector)
        together(
            { for number in 0..<values { subject.send(number) } },
            {
                for _ in 0..<values { inspector.request(1) }
                inspector.cancel()
                thread.close()
            },
            thread.run)
        let before = inspector.received.load(ordering: .relaxed)
        subject.send(1)
        thread.run()
        expect(inspector.received.load(ordering: .relaxed) == before, "a cancel in time: a value came after it")
        inspector.letGo()
    }

    static let subscribeOn = Scenario(name: "subscribe(on:)") { values in
        let thread = VirtualThread()
        let total = Sum()
        let inspector = Inspector<Int, Never>("subscribe(on:)", requesting: 1) { total.add($0) }
        (0..<values).publisher.subscribe(on: thread).subscribe(inspector)
        together(
            {
                for _ in 0..<values { inspector.request(1) }
                thread.close()
            },
            thread.run)
        expect(total.total == sum(to: values), "subscribe(on:): \(total.total) arrived")
        expect(inspector.ends.load(ordering: .relaxed) == 1, "subscribe(on:): no end arrived")
        inspector.letGo()
    }
}
