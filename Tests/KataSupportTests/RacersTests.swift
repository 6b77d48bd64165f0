import Foundation
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

    @Test func noRoundBeginsBeforeTheLastOneHasEnded() async throws {
        let runs = KataSupport.Log<Int>()
        try await KataSupport.Racers(2).race(rounds: 1_000) { _, round in runs.record(round) }
        #expect(runs.events == (0..<1_000).flatMap { [$0, $0] })
    }

    @Test func aThreadThatWaitsForOneThatHangsDoesNotCompute() async throws {
        let never = DispatchSemaphore(value: 0)
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.Racers(2).race(rounds: 2) { thread, _ in if thread == 0 { never.wait() } }
        }
        #expect(error?.end == .nothingLeftToRun)
    }

    /// Two threads that add to one number without a lock lose some additions, at least in two thousand rounds.
    @Test func aRaceShows() async throws {
        final class Counter: @unchecked Sendable {  // the race is what is tested
            var number = 0
        }
        let racers = KataSupport.Racers(2)
        let counters = (0..<2_000).map { _ in Counter() }
        try await racers.race(rounds: counters.count) { _, round in
            for _ in 0..<20 { counters[round].number += 1 }
        }
        #expect(counters.contains { $0.number < 40 })
    }

    @Test func aTaskBehindARaceGateGoesOnOnTheThreadThatOpensIt() async throws {
        let isThere = KataSupport.Log<Bool>()
        let racers = [KataSupport.Log<pthread_t>(), KataSupport.Log<pthread_t>()]
        let raceGates = [KataSupport.RaceGate(), KataSupport.RaceGate()]
        let gate = KataSupport.Gate()
        for (racer, raceGate) in zip(racers, raceGates) {
            Task {
                await raceGate.pass()
                isThere.record(racer.events == [pthread_self()])
                await gate.passEvenIfCancelled()
                isThere.record(racer.events == [pthread_self()])
            }
        }
        await KataSupport.settle()
        try await KataSupport.Racers(2).race { thread in
            racers[thread].record(pthread_self())
            raceGates[thread].open()
        }
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        // After the next wait, the task runs on the queue again.
        #expect(isThere.events == [true, true, false, false])
    }

    @Test func roundsEndWhenTheyHaveUsedTheirProcessorTime() {
        #expect(Array(KataSupport.rounds(3, processorSeconds: 600)) == [0, 1, 2])
        // The first one is always there.
        #expect(Array(KataSupport.rounds(3, processorSeconds: 0)) == [0])
        #expect(Array(KataSupport.rounds(0)) == [])
    }
}
