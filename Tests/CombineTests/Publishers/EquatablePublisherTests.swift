import Combine
import Testing

@Suite struct EquatablePublisherTests {
    @Test func `Publishers of equal parts are equal`() {
        #expect(Just(1).merge(with: Just(2)) == Just(1).merge(with: Just(2)))
        #expect(Empty<Int, Oops>().collect() == Empty<Int, Oops>().collect())
        #expect(Empty<Int, Oops>().contains(1) != Empty<Int, Oops>().contains(2))
        #expect(Fail<Int, Oops>(error: Oops()) == Fail<Int, Oops>(error: Oops()))
        #expect(Fail<Int, Oops>(error: Oops()).first() == Fail<Int, Oops>(error: Oops()).first())
        #expect(Empty<Int, Oops>().dropFirst(1) != Empty<Int, Oops>().dropFirst(2))
    }
}
