extension Kata {
    /// The points of the core tests together, and of the robust ones. All katas are worth the same, so that what was reached
    /// in several can be compared.
    public static let corePoints = 60, robustPoints = 40

    /// The kata with the usual points, shared out among the tests of a tier by their weights.
    public var withUsualPoints: Kata {
        let hasRobustTests = tests.contains { $0.tier == .robust }
        return worth(
            core: hasRobustTests ? Self.corePoints : Self.corePoints + Self.robustPoints, robust: Self.robustPoints)
    }

    /// The kata with other points for its tiers, shared out among the tests of a tier as they were before.
    public func worth(core: Int?, robust: Int?) -> Kata {
        var kata = self
        for (tier, wanted) in [(KataTest.Tier.core, core), (.robust, robust)] {
            guard let wanted, wanted != points(tier) else { continue }
            let places = tests.indices.filter { tests[$0].tier == tier }
            let shares = Self.shares(of: wanted, by: places.map { tests[$0].points })
            for (place, share) in zip(places, shares) { kata.tests[place].points = share }
        }
        return kata
    }

    /// Whole numbers that are to each other as the weights are, as far as whole numbers can be, and make the sum.
    static func shares(of sum: Int, by weights: [Int]) -> [Int] {
        let weights = weights.allSatisfy { $0 == 0 } ? weights.map { _ in 1 } : weights
        let total = weights.reduce(0, +)
        var seen = 0
        var given = 0
        return weights.map { weight in
            seen += weight
            let share = (seen * sum * 2 + total) / (2 * total) - given
            given += share
            return share
        }
    }

    /// The points of a kata that is mastered.
    public var maxPoints: Int { tests.reduce(0) { $0 + $1.points } }

    /// The points of a tier's tests.
    public func points(_ tier: KataTest.Tier) -> Int {
        tests.filter { $0.tier == tier }.reduce(0) { $0 + $1.points }
    }
}
