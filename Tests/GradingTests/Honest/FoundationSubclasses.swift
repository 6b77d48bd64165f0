// Operations, threads and formatters of one's own.
import Foundation
final class Step: Operation, @unchecked Sendable { let body: () -> Void; init(_ body: @escaping () -> Void) { self.body = body; super.init() } ; override func main() { if !isCancelled { body() } } ; override var isAsynchronous: Bool { false } }
final class Model: NSObject, NSCopying { var x = 1; func copy(with zone: NSZone? = nil) -> Any { Model() } ; override func isEqual(_ object: Any?) -> Bool { (object as? Model)?.x == x } ; override var hash: Int { x } }
public actor Tally {
    public private(set) var total = 0
    public init() { Thread.detachNewThread { Thread.sleep(forTimeInterval: 0.001) } }
    public func add(_ number: Int) { let q = OperationQueue(); let a = Step {}; let b = BlockOperation {}; b.addDependency(a); q.addOperations([a, b], waitUntilFinished: true); total += number; _ = Model().copy() ; _ = Model() == Model() }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
