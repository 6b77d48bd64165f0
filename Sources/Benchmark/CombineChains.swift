import Combine

/// The chains that are measured.
@MainActor let chains: [ChainMeasurement] = [
    ChainMeasurement("subject to sink") { tally in
        through { $0.sink(receiveValue: tally.add) }
    },
    ChainMeasurement("map + filter") { tally in
        through { $0.map { $0 &+ 1 }.filter { $0 >= 0 }.sink(receiveValue: tally.add) }
    },
    ChainMeasurement("sequence, three maps") { tally in
        {
            let cancellable = (0..<200_000).publisher
                .map { $0 &+ 1 }
                .map { $0 &* 3 }
                .map { $0 ^ 5 }
                .sink(receiveValue: tally.add)
            cancellable.cancel()
        }
    },
    ChainMeasurement("three type erasures") { tally in
        through {
            $0.eraseToAnyPublisher().map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher().sink(
                receiveValue: tally.add)
        }
    },
    ChainMeasurement("removeDuplicates + scan") { tally in
        through { $0.removeDuplicates().scan(0, &+).sink(receiveValue: tally.add) }
    },
    ChainMeasurement("fan-out to 8", count: 50_000, arrivals: 400_000) { tally in
        let subject = PassthroughSubject<Int, Never>()
        let cancellables = (0..<8).map { _ in subject.sink(receiveValue: tally.add) }
        return {
            for value in 0..<50_000 { subject.send(value) }
            cancellables.forEach { $0.cancel() }
        }
    },
    ChainMeasurement("combineLatest of 3", arrivals: 199_998) { tally in
        let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
        let cancellable = subjects[0].combineLatest(subjects[1], subjects[2]).sink { tally.add($0 &+ $1 &+ $2) }
        return inTurn(subjects, cancellable)
    },
    ChainMeasurement("merge of 2") { tally in
        let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
        return inTurn(subjects, subjects[0].merge(with: subjects[1]).sink(receiveValue: tally.add))
    },
    ChainMeasurement("zip of 2", arrivals: 100_000) { tally in
        let subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
        return inTurn(subjects, subjects[0].zip(subjects[1]).sink { tally.add($0 &+ $1) })
    },
    ChainMeasurement("flatMap to Just") { tally in
        through { $0.flatMap { Just($0 &+ 1) }.sink(receiveValue: tally.add) }
    },
    ChainMeasurement("tryMap + catch") { tally in
        through { $0.tryMap(succeeding).catch { _ in Just(-1) }.sink(receiveValue: tally.add) }
    },
    ChainMeasurement("buffer") { tally in
        through { $0.buffer(size: 64, prefetch: .keepFull, whenFull: .dropOldest).sink(receiveValue: tally.add) }
    },
    ChainMeasurement("subscribe + cancel, three stages", count: 20_000) { tally in
        let subject = CurrentValueSubject<Int, Never>(1)
        return {
            for _ in 0..<20_000 {
                let cancellable = subject.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &* 3 }.sink(
                    receiveValue: tally.add)
                cancellable.cancel()
            }
        }
    },
]

/// Sends values from a subject through a chain.
private func through(_ chain: (PassthroughSubject<Int, Never>) -> AnyCancellable) -> () -> Void {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = chain(subject)
    return {
        for value in 0..<200_000 { subject.send(value) }
        cancellable.cancel()
    }
}

/// Sends values to the subjects in turn.
private func inTurn(_ subjects: [PassthroughSubject<Int, Never>], _ cancellable: AnyCancellable) -> () -> Void {
    {
        var next = 0
        for value in 0..<200_000 {
            subjects[next].send(value)
            next = next + 1 == subjects.count ? 0 : next + 1
        }
        cancellable.cancel()
    }
}

private struct Negative: Error {}

private func succeeding(_ value: Int) throws -> Int {
    if value < 0 { throw Negative() }
    return value &+ 1
}
