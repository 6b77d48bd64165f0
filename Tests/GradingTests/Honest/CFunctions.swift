// C's mathematics, clocks and random numbers.
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        let value = pow(2.0, 3) + sqrt(4) + floor(1.5) + log(1) + fmod(5, 3) + Double.random(in: 0..<1) + cos(0)
        if value > 0, Int.random(in: 0...3) >= 0, [1, 2, 3].shuffled().count == 3 { total += number }
        let clock = ContinuousClock()
        _ = clock.measure { _ = (0..<10).reduce(0, +) }
        if sqrt(-1).isNaN, errno != 0 { print(errno) }
        print(SuspendingClock().now, clock.now, Duration.seconds(1) / 3)
    }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
