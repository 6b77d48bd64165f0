/// Finds sources of one kata that have more in common than chance gives.
public struct SimilarSources: Sendable {
    /// Two sources, by their places, and how much of both is in both: 0 to 1.
    public struct Pair: Sendable, Equatable {
        public var first: Int
        public var second: Int
        public var similarity: Double
    }

    /// Sources that are connected by pairs, in ascending order, and the smallest and largest similarity of these.
    public struct Group: Sendable, Equatable {
        public var members: [Int]
        /// First the pairs that connect all members, then the others; the most similar first in both.
        public var pairs: [Pair] = []
        public var least: Double
        public var most: Double
    }

    /// From here on a pair is reported.
    public static let threshold = 0.6
    /// Sources with fewer fingerprints than this are too short to say anything.
    static let fewest = 6

    public let pairs: [Pair]
    /// The hashes that do not count, because so many have them.
    public let common: Set<UInt32>

    public init(_ sources: [SourceFingerprints], threshold: Double = SimilarSources.threshold) {
        var owners: [UInt32: [Int]] = [:]
        for (place, source) in sources.enumerated() where source.hashes.count >= Self.fewest {
            for hash in source.hashes { owners[hash, default: []].append(place) }
        }
        // What so many have comes from a lesson or from the language.
        let most = max(10, sources.count / 10)
        common = Set(owners.filter { $0.value.count > most }.keys)
        owners = owners.filter { $0.value.count <= most }
        let sharers = sources.map { source in source.hashes.compactMap { owners[$0] } }
        let sizes = sharers.map(\.count)
        var pairs: [Pair] = []
        // How much each other source shares with one, which is set back for the next one.
        var shared = [Int](repeating: 0, count: sources.count)
        for first in sources.indices where sizes[first] >= Self.fewest {
            var others: [Int] = []
            for places in sharers[first] {
                for other in places.reversed() {
                    if other <= first { break }
                    if shared[other] == 0 { others.append(other) }
                    shared[other] += 1
                }
            }
            for second in others.sorted() {
                let similarity = Double(2 * shared[second]) / Double(sizes[first] + sizes[second])
                shared[second] = 0
                if sizes[second] >= Self.fewest, similarity >= threshold {
                    pairs.append(Pair(first: first, second: second, similarity: similarity))
                }
            }
        }
        self.pairs = pairs
    }

    /// The pairs as groups, in the order of their first members.
    public var groups: [Group] {
        var leader: [Int: Int] = [:]
        func find(_ place: Int) -> Int {
            var place = place
            while let next = leader[place], next != place { place = next }
            return place
        }
        let byRank = pairs.sorted { ($1.similarity, $0.first, $0.second) < ($0.similarity, $1.first, $1.second) }
        var connecting: [Pair] = []
        var others: [Pair] = []
        for pair in byRank {
            let ends = [find(pair.first), find(pair.second)].sorted()
            if ends[0] == ends[1] { others.append(pair) } else { connecting.append(pair) }
            leader[ends[1]] = ends[0]
            leader[ends[0]] = ends[0]
        }
        var groups: [Int: Group] = [:]
        for pair in connecting + others {
            var group = groups[find(pair.first)] ?? Group(members: [], least: 1, most: 0)
            group.members += [pair.first, pair.second]
            group.pairs.append(pair)
            group.least = min(group.least, pair.similarity)
            group.most = max(group.most, pair.similarity)
            groups[find(pair.first)] = group
        }
        return groups.sorted { $0.key < $1.key }.map { _, group in
            var group = group
            group.members = Set(group.members).sorted()
            return group
        }
    }
}
