// Public operators, with their own precedence.
precedencegroup Piping { associativity: left }
infix operator |>: Piping
prefix operator √
public func |> <A, B>(value: A, next: (A) -> B) -> B { next(value) }
public prefix func √ (value: Double) -> Double { value.squareRoot() }
public func == (left: Tally, right: Tally) -> Bool { left === right }
/*ANSWER*/
let piped = 4.0 |> { √$0 }
