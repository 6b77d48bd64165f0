/// What stays of a Swift source when it is copied and made to look different.
///
/// The source becomes tokens: names are all alike, as are numbers and strings, and there are no comments, so that renaming
/// and formatting change nothing. What has no effect is left out. Each body stands by itself, so that its place says
/// nothing. Of every run of `run` tokens there is a hash, and of `window` neighboring hashes the smallest one is kept
/// (winnowing). Two bodies that share `run + window - 1` tokens in a row share a fingerprint, and two short ones if they
/// are the same.
public struct SourceFingerprints: Codable, Sendable, Equatable {
    /// Two or three statements. With fewer, answers that were written independently have more and more in common: idioms,
    /// in any order.
    static let run = 15
    /// The changed tokens of a disguise are never far apart: between them a fingerprint must fit.
    static let window = 3
    /// A body that is shorter than a run counts as a whole, but not one call or one value.
    static let shortest = 6
    /// A closure that is as long is a body: a disguise makes a function of it. A shorter one belongs to its statement.
    static let shortestClosure = 9

    /// In ascending order, each once.
    public var hashes: [UInt32]

    public init(of source: some Collection<UInt8>) {
        let kept = Self.runsOfBodies(of: source).flatMap { runs in Self.kept(of: runs).map { runs[$0] } }
        hashes = Set(kept).sorted()
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
        // Of fewer than a window one is kept too.
        let window = min(window, all.count)
        for start in 0..<(all.isEmpty ? 0 : all.count - window + 1) {
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

    /// The hash of every run of tokens, in bodies and across them: what is discounted where it is from elsewhere.
    public static func runs(of source: some Collection<UInt8>) -> [UInt32] {
        runsOfBodies(of: source).flatMap(\.self) + runs(of: EffectiveTokens.codes(of: Array(source)))
    }

    private static func runsOfBodies(of source: some Collection<UInt8>) -> [[UInt32]] {
        EffectiveTokens.bodies(of: Array(source), atLeast: shortestClosure).map { body in
            body.count < run && body.count >= shortest ? runs(of: body, length: body.count) : runs(of: body)
        }
    }

    static func runs(of tokens: [UInt32], length run: Int = run) -> [UInt32] {
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
