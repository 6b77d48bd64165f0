// Classes that override, protocols with defaults, generics with constraints, existential and opaque types, errors with text.
import Foundation
public protocol Adding: AnyObject { associatedtype N: AdditiveArithmetic & Sendable; var sum: N { get set }; func add(_ n: N) }
extension Adding { public func add(_ n: N) { sum = sum + n } }
open class Base: NSObject, Adding, @unchecked Sendable { public var sum = 0; open func describe() -> String { "base" } ; public override var description: String { describe() } }
public class Derived: Base, @unchecked Sendable { weak var parent: Base?; unowned let owner: Base; lazy var list: [Int] = [sum]; init(owner: Base) { self.owner = owner; super.init() } ; public override func describe() -> String { "derived of \(super.describe())" } ; deinit { list.removeAll() } }
public enum Trouble: LocalizedError, CustomNSError, CustomStringConvertible { case late(by: Duration), other(any Error); public var errorDescription: String? { "late" } ; public static var errorDomain: String { "T" } ; public var description: String { "trouble" } }
struct Tree<Leaf>: Sequence { indirect enum Node { case leaf(Leaf), pair(Node, Node) }; var root: Node; func makeIterator() -> AnyIterator<Leaf> { var stack = [root]; return AnyIterator { while let n = stack.popLast() { switch n { case .leaf(let l): return l; case .pair(let a, let b): stack += [b, a] } }; return nil } } }
func opaque() -> some Collection<Int> { [1, 2, 3].lazy.filter { $0 > 1 } }
func any() -> any Hashable & Sendable { 3 }
func pack<each T>(_ t: repeat each T) -> (repeat each T) { (repeat each t) }
struct Token: ~Copyable { let id: Int; deinit {} ; consuming func use() -> Int { id } }
extension String: @retroactive Error {}
extension Array where Element: AdditiveArithmetic { var total: Element { reduce(.zero, +) } }
public actor Tally {
    private let store: Base
    public init() { let base = Base(); store = base; _ = Derived(owner: base).description }
    public var total: Int { store.sum }
    public func add(_ number: Int) { store.add(number); _ = Tree(root: .pair(.leaf(1), .leaf(2))).map { $0 }; _ = pack(1, "a"); let t = Token(id: 1); _ = t.use(); do { throw "text" } catch { _ = "\(error)" } ; _ = opaque().count; _ = any().hashValue }
    public func reset() async -> Int { defer { store.sum = 0 }; return [store.sum].total }
}
/*FIRST*/
