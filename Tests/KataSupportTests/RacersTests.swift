import KataSupport
import Testing

@Suite(.ownProcess) struct RacersTests {
    @Test func eachThreadRunsOnceARound() async throws {
        let racers = KataSupport.Racers(3)
        for _ in 0..<100 {
            let runs = KataSupport.Log<Int>()
            try await racers.race { runs.record($0) }
            #expect(runs.events.sorted() == [0, 1, 2])
        }
    }

    /// Without a lock, two threads that add to one number lose some of it: in one round perhaps not, in two thousand surely.
    @Test func aRaceShows() async throws {
        final class Counter: @unchecked Sendable {  // the race is what is tested
            var number = 0
        }
        let racers = KataSupport.Racers(2)
        var lost = 0
        for _ in 0..<2_000 {
            let counter = Counter()
            try await racers.race { _ in for _ in 0..<20 { counter.number += 1 } }
            lost += counter.number == 40 ? 0 : 1
        }
        #expect(lost > 0)
    }
}
