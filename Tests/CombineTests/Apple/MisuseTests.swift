import Combine
import Testing

/// If Apple's Combine stops the program because a rule between publisher and subscriber was broken, ours does too.
@Suite struct MisuseTests {
    @Test func `to ask a subject for nothing`() async {
        await #expect(processExitsWith: .failure) { request(.none, of: PassthroughSubject<Int, Never>()) }
        await #expect(processExitsWith: .failure) { request(.none, of: CurrentValueSubject<Int, Never>(0)) }
    }

    @Test func `to ask a publisher of one value for nothing`() async {
        await #expect(processExitsWith: .failure) { request(.none, of: Just(1)) }
        await #expect(processExitsWith: .failure) { request(.none, of: Future<Int, Never> { _ in }) }
    }

    @Test func `to ask an operator for nothing that counts its demand`() async {
        await #expect(processExitsWith: .failure) { request(.none, of: probe().flatMap { Just($0) }) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().zip(probe())) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().map { Just($0) }.switchToLatest()) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().collect(2)) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().dropFirst()) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().drop { _ in true }) }
        await #expect(processExitsWith: .failure) { request(.none, of: probe().replaceEmpty(with: 0)) }
    }

    @Test func `others pass on that nothing is asked for`() {
        for build in [
            { AnyPublisher($0.receive(on: ImmediateScheduler.shared)) },
            { AnyPublisher($0.delay(for: 1, scheduler: ImmediateScheduler.shared)) },
            { AnyPublisher($0.append(1)) },
        ] as [(ProbePublisher<Int, Never>) -> AnyPublisher<Int, Never>] {
            let upstream = probe()
            request(.none, of: build(upstream))
            #expect(upstream.events == [.requested(.none)])
        }
    }

    @Test func `to send a filter anything before its subscription`() async {
        await #expect(processExitsWith: .failure) { silent { $0.tryFilter { _ in true } }.send(1) }
        await #expect(processExitsWith: .failure) { silent { $0.removeDuplicates() }.send(completion: .finished) }
        await #expect(processExitsWith: .failure) { silent { $0.prefix { _ in true } }.send(1) }
    }

    @Test func `to send more than was asked for, where that is counted`() async {
        await #expect(processExitsWith: .failure) { silent { $0.catch { _ in Just(0) } }.send(1) }
        await #expect(processExitsWith: .failure) { silent { $0.retry(2) }.send(1) }
        await #expect(processExitsWith: .failure) {
            let upstream = probe()
            subscribe(to: upstream.replaceError(with: 0))
            upstream.send(1)
        }
        await #expect(processExitsWith: .failure) {
            let inner = probe()
            let outer = ProbePublisher<ProbePublisher<Int, Never>, Never>()
            subscribe(to: outer.switchToLatest())
            outer.send(inner)
            inner.send(1)
        }
    }

    @Test func `to fail twice in front of catch`() async {
        await #expect(processExitsWith: .failure) {
            let upstream = ProbePublisher<Int, Oops>()
            request(.max(1), of: upstream.catch { _ in probe() })
            upstream.send(completion: .failure(Oops()))
            upstream.send(completion: .failure(Oops()))
        }
    }

    @Test func `to drop a negative number, once it is subscribed to`() async {
        let publisher = probe().dropFirst(-1)
        _ = publisher
        await #expect(processExitsWith: .failure) { subscribe(to: probe().dropFirst(-1)) }
    }
}

private func probe() -> ProbePublisher<Int, Never> { ProbePublisher() }

/// Subscribes and asks for so much.
private func request<P: Publisher>(_ demand: Subscribers.Demand, of publisher: P) {
    publisher.subscribe(AnySubscriber(receiveSubscription: { $0.request(demand) }))
}

/// Subscribes and does not ask for anything.
private func subscribe<P: Publisher>(to publisher: P) {
    publisher.subscribe(AnySubscriber())
}

/// A publisher that has given no subscription, with an operator on it.
private func silent<P: Publisher>(_ build: (ProbePublisher<Int, Never>) -> P) -> ProbePublisher<Int, Never> {
    let upstream = ProbePublisher<Int, Never>(subscription: nil)
    subscribe(to: build(upstream))
    return upstream
}
