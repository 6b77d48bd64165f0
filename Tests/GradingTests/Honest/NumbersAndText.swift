// Overflow operators, SIMD, collections of all kinds, unicode, sets, slices, lazies, zips, strides and labels.
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        var seen: Set<String> = []; var counts: [Character: Int] = [:]
        outer: for character in "Ünïcödé 한국어 ภาษาไทย 👨‍👩‍👧" { counts[character, default: 0] += 1; if counts.count > 100 { break outer } }
        for (left, right) in zip(stride(from: 0, to: 10, by: 3), (1...4).lazy.map { $0 &* 3 }) { seen.insert("\(left)-\(right)") }
        let vector = SIMD4<Float>(1, 2, 3, 4) * 2
        let slice = Array(0..<10)[2..<5]
        let text = String(repeating: "ab", count: 3).uppercased().reversed().map(String.init).joined(separator: "-")
        if seen.count == 4, vector.sum() == 20, slice.first == 2, text.hasPrefix("B"), Int("12") == 12, UInt8(truncatingIfNeeded: 300) == 44, 7.isMultiple(of: 7) { total = total &+ number }
        precondition(total >= 0); assert(true); _ = counts.sorted { $0.key < $1.key }.prefix(2)
    }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
