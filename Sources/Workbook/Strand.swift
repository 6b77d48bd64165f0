/// What a kata is written with: katas of one strand build on each other.
public enum Strand: String, Codable, Sendable, CaseIterable {
    /// async/await only.
    case async
    /// Combine's operators only.
    case operators
    /// From one of the two worlds to the other.
    case between
    /// Combine's protocols: a `Publisher`, `Subscriber` or `Subscription` written by hand.
    case protocols
}

extension Kata {
    /// Whether the two stand under one heading: that of their strand, or of their phase where they have none.
    public func isBeside(_ other: Kata) -> Bool {
        strand == other.strand && (strand != nil || phase == other.phase)
    }
}
