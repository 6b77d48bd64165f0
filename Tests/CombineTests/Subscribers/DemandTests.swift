import Combine
import Foundation
import Testing

@Suite struct DemandTests {
    typealias Demand = Subscribers.Demand

    @Test func `Demand adds and subtracts exactly, and what is unlimited stays so`() {
        #expect(Demand.max(2) + .max(3) == .max(5))
        #expect(Demand.max(2) + 3 == .max(5))
        #expect(Demand.max(5) - .max(3) == .max(2))
        #expect(Demand.max(5) - 3 == .max(2))
        #expect(Demand.max(5) * 3 == .max(15))
        #expect(Demand.unlimited + .unlimited == .unlimited)
        #expect(Demand.unlimited + 1 == .unlimited)
        #expect(Demand.unlimited - 1 == .unlimited)
        #expect(Demand.unlimited - .unlimited == .unlimited)
        #expect(Demand.unlimited * 0 == .unlimited)
        #expect(Demand.max(5) - .unlimited == .none)
        #expect(Demand.max(.max) + .max(1) == .unlimited)
        #expect(Demand.max(.max) + 1 == .unlimited)
        #expect(Demand.max(.max) * 2 == .unlimited)
        var demand = Demand.max(1)
        demand += .max(2)
        demand += 3
        demand *= 2
        demand -= .max(1)
        demand -= 1
        #expect(demand == 10)
    }

    @Test func `Demand is compared with demand and with numbers`() {
        #expect(Demand.none == .max(0))
        #expect(Demand.none == 0)
        #expect(Demand.max(1) < .max(2))
        #expect(Demand.max(.max) < .unlimited)
        #expect(!(Demand.unlimited < .unlimited))
        #expect(Demand.unlimited <= .unlimited)
        #expect(Demand.unlimited > 1_000)
        #expect(1_000 < Demand.unlimited)
        #expect(Demand.unlimited != Int.max)
        #expect(Demand.max(3) >= 3)
        #expect(3 >= Demand.max(3))
        #expect(Demand.max(3) > -1)
        #expect(-1 < Demand.none)
        #expect(4 != Demand.max(3))
        #expect(Demand.max(7).max == 7)
        #expect(Demand.unlimited.max == nil)
    }

    @Test func `Demand describes itself`() {
        #expect(Demand.max(3).description == "max(3)")
        #expect(Demand.none.description == "max(0)")
        #expect(Demand.unlimited.description == "unlimited")
    }

    @Test func `Demand survives being encoded`() throws {
        for demand in [Demand.none, .max(42), .unlimited] {
            let data = try JSONEncoder().encode([demand])
            #expect(try JSONDecoder().decode([Demand].self, from: data) == [demand])
        }
        #expect(String(decoding: try JSONEncoder().encode([Demand.max(42)]), as: UTF8.self) == "[42]")
    }

    @Test func `A negative demand traps with a sentence`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Subscribers.Demand.max(-1)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #if DEBUG
        #expect(said.contains("A demand cannot be negative: max(-1) was asked for."))
        #endif
    }

    @Test func `Taking more than there is traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = Subscribers.Demand.max(1) - .max(2)
        }
    }

    @Test func `A request for nothing does nothing where it is allowed, and a later one for a value is met`() {
        let publishers = [
            [1].publisher.eraseToAnyPublisher(), [1].publisher.eraseToAnyPublisher().append(2).eraseToAnyPublisher(),
            Record<Int, Never>(output: [1], completion: .finished).eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let recorder = Recorder<Int, Never>(requesting: Subscribers.Demand.none)
            publisher.subscribe(recorder)
            #expect(recorder.values == [])
            recorder.request(.max(1))
            #expect(recorder.values == [1])
        }
    }
}
