import KataSupport
import Testing

@Suite(.ownProcess) struct SeedTests {
    @Test func oneSeedGivesOneTestTheSameValues() {
        var first = Values(for: "test", seed: 7)
        var second = Values(for: "test", seed: 7)
        #expect(first.integers(10) == second.integers(10))
        #expect(first.strings(3) == second.strings(3))
    }

    @Test func anotherTestOrSeedGetsOtherValues() {
        var first = Values(for: "test", seed: 7)
        var otherSeed = Values(for: "test", seed: 8)
        var otherTest = Values(for: "another", seed: 7)
        let numbers = first.integers(10)
        #expect(otherSeed.integers(10) != numbers)
        #expect(otherTest.integers(10) != numbers)
    }

    @Test func valuesAreDistinct() {
        var values = Values(for: "test", seed: 1)
        #expect(Set(values.integers(500)).count == 500)
        #expect(Set(values.strings(50)).count == 50)
    }

    @Test func aLabelTellsItsPlace() {
        var values = Values(for: "test", seed: 1)
        let labels = values.labels(500)
        #expect(labels.prefix(27).compactMap(\.first).map(String.init).joined() == "abcdefghijklmnopqrstuvwxyza")
        #expect(Set(labels).count == 500)
        #expect(labels.allSatisfy { Int($0.dropFirst()) != nil })
    }

    @Test func reorderedIsNeverTheSameOrder() {
        var values = Values(for: "test", seed: 1)
        for _ in 0..<50 { #expect(values.reordered([1, 2]) == [2, 1]) }
        #expect(values.reordered([1]) == [1])
    }
}
