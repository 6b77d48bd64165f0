import KataSupport
import Tally
import Testing

@Suite struct TallyTests {
    @Test func startsAtNothing() async throws {
        try expect(await Tally().total, equals: 0)
    }

    @Test func adds() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let tally = Tally()
        for number in numbers { await tally.add(number) }
        try expect(await tally.total, equals: numbers.reduce(0, +))
    }

    @Test func firstValueComesBack() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let first = try await withDeadline {
            try await firstValue(
                of: AsyncStream { continuation in
                    numbers.forEach { continuation.yield($0) }
                    continuation.finish()
                })
        }
        #expect(first == numbers[0])
    }

    @Test func noValueThrows() async throws {
        await #expect(throws: NoValue.self) {
            try await withDeadline { try await firstValue(of: AsyncStream<Int> { $0.finish() }) }
        }
    }
}
