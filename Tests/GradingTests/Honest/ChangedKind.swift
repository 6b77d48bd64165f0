// A class where the answer has an actor, which the suite can be compiled against too.
import Synchronization
public final class Tally: Sendable {
    private let sum = Mutex(0)
    public var total: Int { get async { sum.withLock { $0 } } }
    public init() {}
    public func add(_ number: Int) async { sum.withLock { $0 += number } }
    public func reset() async -> Int { sum.withLock { value in defer { value = 0 }; return value } }
}
/*FIRST*/
