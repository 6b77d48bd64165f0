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

    /// The first task of a process runs on the platform's pool, at the same time as those that it starts. One that is started
    /// later does not.
    private func drawnOrder(of count: Int) async -> [Int] {
        await KataSupport.settle()
        return await Task { await KataSupport.inAnyOrder { await order(of: count) } }.value
    }

    @Test func everyTaskRunsAndNotInTheOrderOfTheirStart() async {
        let found = await drawnOrder(of: 100)
        #expect(found.sorted() == Array(0..<100))
        #expect(found != Array(0..<100))
    }

    @Test func afterwardsTheyRunInOrderAgain() async {
        _ = await drawnOrder(of: 10)
        #expect(await order(of: 100) == Array(0..<100))
    }
}
