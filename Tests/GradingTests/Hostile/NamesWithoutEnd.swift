// Tries: to keep the grader busy with names that are short in an object and endless in words
// Allowed: didNotCompile rejected
public struct Pair<A, B> {}
public typealias T0 = Int
public typealias T1 = Pair<T0, T0>
public typealias T2 = Pair<T1, T1>
public typealias T3 = Pair<T2, T2>
public typealias T4 = Pair<T3, T3>
public typealias T5 = Pair<T4, T4>
public typealias T6 = Pair<T5, T5>
public typealias T7 = Pair<T6, T6>
public typealias T8 = Pair<T7, T7>
public typealias T9 = Pair<T8, T8>
public typealias T10 = Pair<T9, T9>
public typealias T11 = Pair<T10, T10>
public typealias T12 = Pair<T11, T11>
public typealias T13 = Pair<T12, T12>
public typealias T14 = Pair<T13, T13>
public typealias T15 = Pair<T14, T14>
public typealias T16 = Pair<T15, T15>
public typealias T17 = Pair<T16, T16>
public typealias T18 = Pair<T17, T17>
public typealias T19 = Pair<T18, T18>
public func f0(_ x: T19?) {}
public func f1(_ x: T19?) {}
public func f2(_ x: T19?) {}
public func f3(_ x: T19?) {}
public func f4(_ x: T19?) {}
public func f5(_ x: T19?) {}
public func f6(_ x: T19?) {}
public func f7(_ x: T19?) {}
public func f8(_ x: T19?) {}
public func f9(_ x: T19?) {}
public func f10(_ x: T19?) {}
public func f11(_ x: T19?) {}
public func f12(_ x: T19?) {}
public func f13(_ x: T19?) {}
public func f14(_ x: T19?) {}
public func f15(_ x: T19?) {}
public func f16(_ x: T19?) {}
public func f17(_ x: T19?) {}
public func f18(_ x: T19?) {}
public func f19(_ x: T19?) {}
public func f20(_ x: T19?) {}
public func f21(_ x: T19?) {}
public func f22(_ x: T19?) {}
public func f23(_ x: T19?) {}
public func f24(_ x: T19?) {}
public func f25(_ x: T19?) {}
public func f26(_ x: T19?) {}
public func f27(_ x: T19?) {}
public func f28(_ x: T19?) {}
public func f29(_ x: T19?) {}
public func f30(_ x: T19?) {}
public func f31(_ x: T19?) {}
public func f32(_ x: T19?) {}
public func f33(_ x: T19?) {}
public func f34(_ x: T19?) {}
public func f35(_ x: T19?) {}
public func f36(_ x: T19?) {}
public func f37(_ x: T19?) {}
public func f38(_ x: T19?) {}
public func f39(_ x: T19?) {}
public func f40(_ x: T19?) {}
public func f41(_ x: T19?) {}
public func f42(_ x: T19?) {}
public func f43(_ x: T19?) {}
public func f44(_ x: T19?) {}
public func f45(_ x: T19?) {}
public func f46(_ x: T19?) {}
public func f47(_ x: T19?) {}
public func f48(_ x: T19?) {}
public func f49(_ x: T19?) {}
public func f50(_ x: T19?) {}
public func f51(_ x: T19?) {}
public func f52(_ x: T19?) {}
public func f53(_ x: T19?) {}
public func f54(_ x: T19?) {}
public func f55(_ x: T19?) {}
public func f56(_ x: T19?) {}
public func f57(_ x: T19?) {}
public func f58(_ x: T19?) {}
public func f59(_ x: T19?) {}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) async {  }
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
