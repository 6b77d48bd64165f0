/// What stays of a Swift source when it is copied and made to look different.
///
/// The source becomes tokens: names are all alike, as are numbers and strings, and there are no comments, so that renaming
/// and formatting change nothing. What has no effect is left out. Of every run of `run` tokens there is a hash, and of `window` neighboring hashes the
/// smallest one is kept (winnowing). Two sources that share `run + window - 1` tokens in a row share a fingerprint.
public struct SourceFingerprints: Codable, Sendable, Equatable {
    static let run = 16
    static let window = 9

    /// In ascending order, each once.
    public var hashes: [UInt32]

    public init(of source: some Collection<UInt8>) {
        let all = Self.runs(of: source)
        hashes = Set(Self.kept(of: all).map { all[$0] }).sorted()
    }

    /// What is left without these hashes, which say nothing.
    public func without(_ discounted: Set<UInt32>) -> SourceFingerprints {
        var left = self
        left.hashes.removeAll(where: discounted.contains)
        return left
    }

    /// The places of the hashes that are kept.
    static func kept(of all: [UInt32]) -> [Int] {
        var kept: [Int] = []
        var last = -1
        for start in 0..<max(0, all.count - window + 1) {
            // The last of equal ones: then neighboring windows more often choose the same.
            var least = max(start, last)
            let unread = last >= start ? start + window - 1 : start
            for index in unread..<start + window where all[index] <= all[least] { least = index }
            guard least != last else { continue }
            last = least
            kept.append(least)
        }
        return kept
    }

    /// The hash of every run of tokens: what is discounted where it is from elsewhere.
    public static func runs(of source: some Collection<UInt8>) -> [UInt32] {
        runs(of: EffectiveTokens.codes(of: Array(source)))
    }

    static func runs(of tokens: [UInt32]) -> [UInt32] {
        guard tokens.count >= run else { return [] }
        let base: UInt32 = 0x0100_0193
        var highest: UInt32 = 1
        for _ in 1..<run { highest = highest &* base }
        var hash: UInt32 = 0
        var hashes: [UInt32] = []
        hashes.reserveCapacity(tokens.count)
        for (index, token) in tokens.enumerated() {
            if index >= run { hash = hash &- tokens[index - run] &* highest }
            hash = hash &* base &+ token
            if index >= run - 1 { hashes.append(mixed(hash)) }
        }
        return hashes
    }

    /// Spreads a hash over all bits, so that the smallest one says nothing about the tokens.
    private static func mixed(_ hash: UInt32) -> UInt32 {
        var hash = hash
        hash ^= hash >> 16
        hash = hash &* 0x85EB_CA6B
        hash ^= hash >> 13
        hash = hash &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }
}
