import Combine
import KataSupport
import OneMore
import XCTest

final class OneMoreXCTests: XCTestCase {
    func testEachValueAsksForOneMore() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let handled = KataSupport.Log<Int>()
        publisher.subscribe(OneMore<Int> { handled.record($0) })
        for number in numbers {
            publisher.send(number)
            await KataSupport.settle()
        }
        try KataSupport.expect(handled.events, equals: numbers)
        try KataSupport.expect(publisher.asked, equals: .max(4))
    }
}
