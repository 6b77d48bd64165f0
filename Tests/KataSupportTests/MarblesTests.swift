import KataSupport
import Testing

@Suite(.ownProcess) struct MarblesTests {
    @Test func bothHistoriesShareAnAxisAndTheFirstDifferenceIsMarked() {
        let drawing = Marbles.drawing(
            expected: [.init(milliseconds: 0, label: "a"), .init(milliseconds: 30, label: "b")],
            actual: [.init(milliseconds: 0, label: "a"), .init(milliseconds: 20, label: "b")], width: 30)
        #expect(
            drawing == """
                expected  a-----------------------------b
                actual    a-------------------b
                                              ^
                ms        0                   20        30
                """)
    }

    @Test func whatHappensAtOneTimeIsGrouped() {
        let drawing = Marbles.drawing(
            expected: [.init(milliseconds: 10, label: "a"), .init(milliseconds: 10, label: "|")], actual: [], width: 5)
        #expect(
            drawing == """
                expected  -----(a |)
                actual    -
                               ^
                ms             10
                """)
    }

    @Test func longLabelsPushTheRestToTheRight() {
        let drawing = Marbles.drawing(
            expected: [.init(milliseconds: 0, label: "started"), .init(milliseconds: 1, label: "x")],
            actual: [.init(milliseconds: 0, label: "started"), .init(milliseconds: 1, label: "y")], width: 4)
        #expect(
            drawing == """
                expected  started-x
                actual    started-y
                                  ^
                ms        0       1
                """)
    }

    @Test func whatWasSentStandsAboveOnTheSameAxis() {
        let drawing = Marbles.drawing(
            input: [.init(milliseconds: 0, label: "a1"), .init(milliseconds: 20, label: "b2")],
            expected: [.init(milliseconds: 10, label: "a1"), .init(milliseconds: 30, label: "b2")],
            actual: [.init(milliseconds: 10, label: "a1"), .init(milliseconds: 20, label: "b2")], width: 30)
        #expect(
            drawing == """
                input     a1------------------b2
                expected  ----------a1------------------b2
                actual    ----------a1--------b2
                                              ^
                ms        0         10        20        30
                """)
    }

    @Test func nothingAtAllIsDrawnToo() {
        #expect(Marbles.drawing(expected: [], actual: []) == "expected  -\nactual    -")
    }
}
