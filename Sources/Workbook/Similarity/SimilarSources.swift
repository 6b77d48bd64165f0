/// Finds sources of one kata that have more in common than chance gives.
///
/// It counts all that two sources have in common, however many others have it too: what they were given, and the answers
/// that anybody can read, were taken out before.
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
        /// How many more there are.
        public var pairsLeftOut = 0
        public var least: Double
        public var most: Double
    }

    /// From here on a pair is reported. Answers that were written independently reach 0.48; of a disguised copy that is
    /// found, more than half stays. The benchmark measures both.
    public static let threshold = 0.55
    /// Sources with fewer fingerprints than this are too short to say anything.
    static let fewest = 6
    /// How many pairs of one source are kept besides those that connect a group: a class may have millions.
    static let mostOfOne = 20

    /// Those that are kept, in ascending order.
    public let pairs: [Pair]
    public let groups: [Group]

    public init(_ sources: [SourceFingerprints], threshold: Double = SimilarSources.threshold) {
        let sources = sources.map { $0.hashes.count >= Self.fewest ? $0.hashes : [] }
        // Of sources that are the same but for their names, one stands for all.
        var copies: [[UInt32]: [Int]] = [:]
        for (place, hashes) in sources.enumerated() where !hashes.isEmpty { copies[hashes, default: []].append(place) }
        var grouping = Grouping(count: sources.count)
        for places in copies.values {
            for other in places.dropFirst() { grouping.add(Pair(first: places[0], second: other, similarity: 1)) }
        }
        let firsts = copies.values.map { $0[0] }.sorted()
        var owners: [UInt32: [Int]] = [:]
        for place in firsts { for hash in sources[place] { owners[hash, default: []].append(place) } }
        // How much each other source shares with one, which is set back for the next one.
        var shared = [Int](repeating: 0, count: sources.count)
        for first in firsts {
            var others: [Int] = []
            for places in sources[first].compactMap({ owners[$0] }) {
                for other in places.reversed() {
                    if other <= first { break }
                    if shared[other] == 0 { others.append(other) }
                    shared[other] += 1
                }
            }
            var found: [Pair] = []
            for second in others.sorted() {
                let similarity = Double(2 * shared[second]) / Double(sources[first].count + sources[second].count)
                shared[second] = 0
                if similarity >= threshold {
                    found.append(Pair(first: first, second: second, similarity: similarity))
                }
            }
            grouping.add(allOf: found)
        }
        pairs = grouping.pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
        groups = grouping.groups
    }

    /// Which sources are connected, with the pairs that are worth keeping.
    private struct Grouping {
        private var leaders: [Int]
        private var least: [Double]
        private var leftOut: [Int]
        private(set) var pairs: [Pair] = []

        init(count: Int) {
            leaders = Array(0..<count)
            least = [Double](repeating: 1, count: count)
            leftOut = [Int](repeating: 0, count: count)
        }

        private func leader(_ place: Int) -> Int {
            var place = place
            while leaders[place] != place { place = leaders[place] }
            return place
        }

        /// Gives back whether it connects what was apart.
        private mutating func connect(_ pair: Pair) -> Bool {
            let ends = [leader(pair.first), leader(pair.second)].sorted()
            for place in [pair.first, pair.second] { leaders[place] = ends[0] }
            leaders[ends[1]] = ends[0]
            return ends[0] != ends[1]
        }

        mutating func add(_ pair: Pair) {
            _ = connect(pair)
            pairs.append(pair)
        }

        /// The pairs of one source with later ones.
        mutating func add(allOf found: [Pair]) {
            for (rank, pair) in found.sorted(by: Pair.comesBefore).enumerated() {
                least[pair.first] = min(least[pair.first], pair.similarity)
                if connect(pair) || rank < SimilarSources.mostOfOne {
                    pairs.append(pair)
                } else {
                    leftOut[pair.first] += 1
                }
            }
        }

        /// In the order of their first members.
        var groups: [Group] {
            var connected = Grouping(count: leaders.count)
            var connecting: [Pair] = []
            var others: [Pair] = []
            for pair in pairs.sorted(by: Pair.comesBefore) {
                if connected.connect(pair) { connecting.append(pair) } else { others.append(pair) }
            }
            var groups: [Int: Group] = [:]
            for pair in connecting + others {
                var group = groups[leader(pair.first)] ?? Group(members: [], least: 1, most: 0)
                group.members += [pair.first, pair.second]
                group.pairs.append(pair)
                group.least = min(group.least, pair.similarity)
                group.most = max(group.most, pair.similarity)
                groups[leader(pair.first)] = group
            }
            return groups.sorted { $0.key < $1.key }.map { _, group in
                var group = group
                group.members = Set(group.members).sorted()
                for member in group.members {
                    group.least = min(group.least, least[member])
                    group.pairsLeftOut += leftOut[member]
                }
                return group
            }
        }
    }
}

extension SimilarSources.Pair {
    /// The most similar first.
    fileprivate static func comesBefore(_ one: Self, _ other: Self) -> Bool {
        (other.similarity, one.first, one.second) < (one.similarity, other.first, other.second)
    }
}
