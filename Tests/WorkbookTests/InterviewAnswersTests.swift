import Testing

@testable import Workbook

@Suite("What good answers to interview questions mention")
struct InterviewAnswersTests {
    @Test("is read from headings and lists, with lines that go on")
    func reading() {
        let answers = InterviewAnswers(
            "# One\n\nprose\n\n## Why `x`?\n\n- First\n  goes on.\n- Second.\n\n## And then?\n\n- Third.\n")
        #expect(
            answers.questions == [
                .init(text: "Why `x`?", points: ["First goes on.", "Second."]),
                .init(text: "And then?", points: ["Third."]),
            ])
    }
}
