// Helpers as classes with inheritance, structs, enums, protocols, extensions, generics, results, key paths, lazies.
class Base { func name() -> String { "base" } ; deinit { print("gone") } }
final class Derived: Base { override func name() -> String { "derived " + super.name() } ; lazy var cache: [String: Int] = [:] }
struct Pair<First: Hashable, Second>: CustomStringConvertible { var first: First; var second: Second; var description: String { "\(first) \(second)" } }
protocol Shape { associatedtype Unit; func area() -> Unit }
extension Shape where Unit == Int { func doubled() -> Int { area() * 2 } }
struct Square: Shape, Codable, Hashable, Comparable { var side = 2; func area() -> Int { side * side }; static func < (a: Square, b: Square) -> Bool { a.side < b.side } }
indirect enum Tree<Value> { case leaf, node(Tree, Value, Tree) }
public actor Tally {
    public private(set) var total = 0
    public init() { let derived = Derived(); derived.cache[derived.name()] = Square().doubled() }
    public func add(_ number: Int) {
        let some: any Shape = Square()
        let pair = Pair(first: "a", second: [Square(), Square(side: 5)].sorted().map(\.side))
        if let square = some as? Square, "\(pair)" != "", square.side == 2 { total += number }
    }
    public func reset() async -> Int {
        let result: Result<Int, Error> = Result { defer { total = 0 }; return total }
        return (try? result.get()) ?? -1
    }
}
/*FIRST*/
