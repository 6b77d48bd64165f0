import Combine
import KataSupport
import Testing

@Suite("What exactly differs")
struct DifferenceTests {
    private func differences(_ expected: [String], _ actual: [String]) -> Set<KataSupport.Finding.Difference> {
        do {
            try KataSupport.expect(actual, equals: expected)
            return []
        } catch {
            return (error as? any KataSupport.FindingError)?.finding.differences ?? []
        }
    }

    @Test("What is too much is named by its kind")
    func extra() {
        #expect(differences(["1"], ["1", "|"]) == [.extraCompletion])
        #expect(differences(["1"], ["1", "x offline"]) == [.extraFailure])
        #expect(differences(["1"], ["1", "2"]) == [.extraValue])
        #expect(differences(["1", "|"], ["1", "1", "|"]) == [.repeatedValue])
        #expect(differences(["subscribed"], ["subscribed", "subscribed"]) == [.extraSubscription])
        #expect(differences([], ["requested 1"]) == [.extraDemand])
    }

    @Test("What is missing is named by its kind, and from where on")
    func missing() {
        #expect(differences(["1", "2", "|"], ["1"]) == [.missingValue, .missingCompletion, .stopsEarly])
        #expect(differences(["1", "2"], ["2"]) == [.missingValue, .startsLate])
        #expect(differences(["1", "x offline"], ["1"]) == [.missingFailure, .stopsEarly])
        #expect(differences(["1"], []) == [.missingValue])
        #expect(differences(["subscribed", "cancelled"], ["subscribed"]) == [.missingCancellation, .stopsEarly])
    }

    @Test("What stands in the place of something else is named by both")
    func replaced() {
        #expect(differences(["x offline"], ["|"]) == [.missingFailure, .extraCompletion, .completionForFailure])
        #expect(differences(["|"], ["x offline"]) == [.missingCompletion, .extraFailure, .failureForCompletion])
        #expect(differences(["x offline"], ["x busy"]) == [.missingFailure, .extraFailure, .otherFailure])
        #expect(differences(["1", "2"], ["2", "1"]) == [])
    }

    @Test("A number is too large or too small, and demand is too much or too little")
    func numbers() {
        func differences(_ check: () throws -> Void) -> Set<KataSupport.Finding.Difference> {
            do {
                try check()
                return []
            } catch { return (error as? any KataSupport.FindingError)?.finding.differences ?? [] }
        }
        #expect(differences { try KataSupport.expect(3, equals: 2) } == [.more])
        #expect(differences { try KataSupport.expect(1, equals: 2) } == [.fewer])
        #expect(differences { try KataSupport.expect(true, equals: false) } == [])
        #expect(differences { try KataSupport.expect(Subscribers.Demand.max(3), equals: .max(2)) } == [.extraDemand])
        #expect(
            differences { try KataSupport.expect(Result<Int, any Error>.failure(CancellationError()), equals: 1) }
                == [.cancellationError])
    }
}
