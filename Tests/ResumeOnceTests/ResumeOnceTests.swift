import KataSupport
import ResumeOnce
import Testing

@Suite(.ownProcess) struct ResumeOnceTests {
    @Test func onlyTheFirstCallCounts() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let twoAnswers = try await KataSupport.result {
            try await answer { callback in
                callback(names[0], nil)
                callback(names[1], nil)
            }
        }
        try KataSupport.expect(twoAnswers, equals: names[0])
        let answerAndError = try await KataSupport.result {
            try await answer { callback in
                callback(names[2], nil)
                callback(nil, KataSupport.Failure("offline"))
            }
        }
        try KataSupport.expect(answerAndError, equals: names[2])
    }
}
