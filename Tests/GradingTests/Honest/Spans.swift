// The newest containers and ownership words.
import Synchronization
struct Ring: ~Copyable { private var slots: InlineArray<4, Int> = .init(repeating: 0); private let head = Atomic(0); mutating func put(_ x: Int) { slots[head.load(ordering: .acquiring) % 4] = x; head.wrappingAdd(1, ordering: .acquiringAndReleasing) } ; borrowing func sum() -> Int { var s = 0; for i in slots.indices { s += slots[i] }; return s } }
func total(_ span: borrowing Span<Int>) -> Int { var s = 0; for i in span.indices { s += span[i] }; return s }
final class Guarded: Sendable { let m = Mutex((0, [String: Int]())); func bump() -> Int { m.withLock { $0.0 += 1; $0.1["a", default: 0] += 1; return $0.0 } } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { var r = Ring(); r.put(number); total += r.sum(); _ = Guarded().bump(); let a = [1, 2, 3]; _ = Tally_total(a.span) ; switch consume r { case let x: _ = x.sum() } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
func Tally_total(_ s: Span<Int>) -> Int { s.count }
/*FIRST*/
