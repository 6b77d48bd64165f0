// Carriage returns at each line end.
/*ANSWER*/
public func odd() -> Int {
    1
}
