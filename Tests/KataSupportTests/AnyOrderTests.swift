import KataSupport
import Testing

@Suite(.ownProcess) struct AnyOrderTests {
    private func order(of count: Int) async -> [Int] {
        let history = KataSupport.Log<Int>()
        for number in 0..<count {
            Task { history.record(number) }
        }
        await KataSupport.settle()
        return history.events
    }

    @Test func everyTaskRunsAndNotInTheOrderOfTheirStart() async {
        let found = await KataSupport.inAnyOrder { await order(of: 100) }
        #expect(found.sorted() == Array(0..<100))
        #expect(found != Array(0..<100))
    }

    @Test func afterwardsTheyRunInOrderAgain() async {
        _ = await KataSupport.inAnyOrder { await order(of: 10) }
        #expect(await order(of: 100) == Array(0..<100))
    }
}
