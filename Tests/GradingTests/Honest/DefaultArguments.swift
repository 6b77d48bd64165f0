// Default arguments, variadics, autoclosures, inout and rethrows in public functions.
/*ANSWER*/
public func sum(_ numbers: Int..., start: Int = 3, scale: @autoclosure () -> Int = 2) -> Int { numbers.reduce(start, +) * scale() }
public func twice(_ number: inout Int, by step: Int = .max / 4) { number += step }
public func each<T>(_ values: [T], _ body: (T) throws -> Void) rethrows { for value in values { try body(value) } }
