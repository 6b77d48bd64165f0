import Foundation

/// An answer that returns the very numbers of the test should fail, and a failure should come again when it is looked for.
///
/// All values of a run follow from one number: `KATA_SEED` from the environment, or else a random one, which is printed.
/// Each test draws from a sequence of its own, so that leaving a test out changes nothing for the others.
public enum Seed {
    public static let value: UInt64 = {
        if let given = ProcessInfo.processInfo.environment["KATA_SEED"].flatMap({ UInt64($0) }) { return given }
        let drawn = UInt64.random(in: 0..<1_000_000)
        print("KATA_SEED=\(drawn)")
        return drawn
    }()
}

/// The random values of one test.
///
///     var values = KataSupport.Values()
///     let numbers = values.integers(5)
public struct Values: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter test: What to draw for: the same name and the same seed give the same values.
    public init(for test: String = #function, seed: UInt64 = Seed.value) {
        // FNV-1a: `Hasher` gives another result in each process.
        let name = test.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        state = seed ^ name
    }

    /// SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// So many integers from 10 to 999, no two the same.
    public mutating func integers(_ count: Int) -> [Int] {
        precondition(count <= 990, "There are 990 integers from 10 to 999.")
        var drawn: [Int] = []
        while drawn.count < count {
            let candidate = Int.random(in: 10...999, using: &self)
            if !drawn.contains(candidate) { drawn.append(candidate) }
        }
        return drawn
    }

    /// An integer from 10 to 999.
    public mutating func integer() -> Int { Int.random(in: 10...999, using: &self) }

    /// So many short words, no two the same.
    public mutating func strings(_ count: Int) -> [String] {
        var drawn: [String] = []
        while drawn.count < count {
            let candidate = String((0..<5).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &self) ?? "a" })
            if !drawn.contains(candidate) { drawn.append(candidate) }
        }
        return drawn
    }

    /// A word that was drawn from the alphabet does not say which of several values it is.
    ///
    /// So many short labels, no two the same: `a17`, `b402`, `c93`. The letter tells the place, and only the number is drawn.
    public mutating func labels(_ count: Int) -> [String] {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return integers(count).enumerated().map { "\(letters[$0 % letters.count])\($1)" }
    }

    /// The same elements in another order than they came in, where there is one.
    public mutating func reordered<Element: Equatable>(_ elements: [Element]) -> [Element] {
        guard let first = elements.first, elements.contains(where: { $0 != first }) else { return elements }
        while true {
            let shuffled = elements.shuffled(using: &self)
            if shuffled != elements { return shuffled }
        }
    }
}
