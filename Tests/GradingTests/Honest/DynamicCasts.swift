// Casts of every kind at run time: to existentials, metatypes, classes, optionals, and key paths without a type.
protocol Shape { init(); var sides: Int { get } }
protocol Sides: AnyObject { var number: Int { get } }
struct Square: Shape { let sides = 4 }
final class Counter: Sides, Equatable { var number = 1; static func == (a: Counter, b: Counter) -> Bool { a.number == b.number } }
let types: [Any] = [Square.self, Int.self, Counter.self]
let paths: [AnyKeyPath] = [\Square.sides, \Counter.number]
func sides(_ any: Any) -> Int {
    if let type = any as? any Shape.Type { return type.init().sides }
    if let counter = any as? any Sides & Equatable { return counter.number }
    if let type = any as? any Sides.Type { return "\(type)".count }
    if let list = any as? [Any?] { return list.count }
    return (any as? any BinaryInteger).map { Int($0) } ?? (any as? Int?)?.map { $0 } ?? 0
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += sides(number); _ = types.map(sides); _ = Square()[keyPath: paths[0] as! KeyPath<Square, Int>]; _ = sides(Counter()) }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
