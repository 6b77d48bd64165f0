// Property wrappers over locks, result builders with loops, key paths as functions, subscripts, dynamic members, macros.
import Foundation
import Observation
import Synchronization
@propertyWrapper final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock(); private var value: Value
    init(wrappedValue: Value) { value = wrappedValue }
    var wrappedValue: Value { get { lock.withLock { value } } set { lock.withLock { value = newValue } } }
    var projectedValue: Locked { self }
    func mutate<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&value) } }
}
@resultBuilder enum Sum { static func buildBlock(_ p: Int...) -> Int { p.reduce(0, +) }; static func buildArray(_ p: [Int]) -> Int { p.reduce(0, +) }; static func buildEither(first: Int) -> Int { first }; static func buildEither(second: Int) -> Int { second } ; static func buildExpression(_ i: Int) -> Int { i } }
func sum(@Sum _ body: () -> Int) -> Int { body() }
struct Point: Codable, Hashable, Comparable, Identifiable { var x = 1, y = 2; var id: Int { x }; static func < (a: Point, b: Point) -> Bool { (a.x, a.y) < (b.x, b.y) } ; enum CodingKeys: String, CodingKey { case x, y = "why" } }
@Observable @MainActor final class Screen { var points: [Point] = []; @ObservationIgnored var hidden = 0 }
@dynamicMemberLookup struct Lens<T> { var value: T; subscript<U>(dynamicMember path: WritableKeyPath<T, U>) -> U { get { value[keyPath: path] } set { value[keyPath: path] = newValue } } }
let isBig = #Predicate<Point> { point in point.x > 10 && point.y != 3 }
infix operator <+> : AdditionPrecedence
func <+> (a: Int, b: Int) -> Int { a + b }
prefix operator ¬
prefix func ¬ (a: Bool) -> Bool { !a }
@dynamicCallable struct Call { func dynamicallyCall(withArguments a: [Int]) -> Int { a.count } }
public actor Tally {
    private let box = Locked(wrappedValue: 0)
    public var total: Int { box.wrappedValue }
    public init() {}
    public func add(_ number: Int) {
        var lens = Lens(value: Point()); lens.x = number
        let more = sum { if number > 3 { lens.x } else { number }; for _ in 0..<0 { 1 } }
        let points = [Point(), Point(x: 3)].sorted().map(\.x).reduce(0, +)
        _ = try? JSONDecoder().decode([Point].self, from: JSONEncoder().encode(Set([Point()])))
        _ = try? isBig.evaluate(Point()); _ = Call()(1, 2); _ = ¬true; _ = points
        box.mutate { $0 = $0 <+> more }
    }
    public func reset() async -> Int { box.mutate { n in defer { n = 0 }; return n } }
}
/*FIRST*/
