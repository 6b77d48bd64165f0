import Grading
import Testing

@testable import grader

@Suite("How far a class is")
struct GradeProgressTests {
    private func done(_ name: String) -> ClassGrading.Event {
        .done(learner: name, points: 1, maxPoints: 2, problem: nil)
    }

    @Test("The time left follows from what this run decided, and not from what it found decided")
    func timeLeft() {
        var state = GradeProgressState()
        state.take(.found(learners: 10))
        #expect(state.secondsLeft(after: 1) == nil)
        for _ in 0..<4 {
            state.take(.decided(isNew: false))
            state.take(done("early"))
        }
        #expect(state.secondsLeft(after: 1) == nil)
        state.take(.decided(isNew: true))
        state.take(.decided(isNew: true))
        state.take(done("new"))
        #expect(state.perMinute(after: 4) == 30)
        #expect(state.secondsLeft(after: 4) == 20)
    }
}
