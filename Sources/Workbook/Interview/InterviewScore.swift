/// What an observer says on their scorecard about one thing.
public struct InterviewScore: Codable, Sendable, Equatable {
    /// In the order of the scorecard.
    public enum Item: String, Codable, CaseIterable, Sendable {
        case recommendation, concurrency, decisions, tests, focus

        /// The marks that it can have. A recommendation goes from a strong no to a strong yes, without a middle.
        public var marks: ClosedRange<Int> { self == .recommendation ? 1...4 : 1...5 }
    }

    public var item: Item
    /// `nil` if there is none.
    @OrNull public var mark: Int?
    public var sentence: String
    /// Who says so, where the observer has a name.
    public var observer: String?

    public init(_ item: Item, mark: Int? = nil, sentence: String = "") {
        self.item = item
        _mark = OrNull(wrappedValue: mark)
        self.sentence = sentence
    }

    /// How far observers are apart about one thing.
    public struct Spread: Codable, Sendable, Equatable {
        public var item: Item
        public var lowest: Int
        public var highest: Int
    }

    /// The things about which the marks differ.
    static func spreads(of scores: [InterviewScore]) -> [Spread] {
        Item.allCases.compactMap { item in
            let marks = scores.filter { $0.item == item }.compactMap(\.mark)
            guard let lowest = marks.min(), let highest = marks.max(), lowest < highest else { return nil }
            return Spread(item: item, lowest: lowest, highest: highest)
        }
    }

    /// Before the other on the scorecards, side by side.
    static func stand(_ left: Self, before right: Self) -> Bool {
        func place(_ item: Item) -> Int { Item.allCases.firstIndex(of: item) ?? 0 }
        return (place(left.item), left.observer ?? "") < (place(right.item), right.observer ?? "")
    }
}
