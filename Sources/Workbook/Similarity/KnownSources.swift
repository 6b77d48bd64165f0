/// What a workbook has of a kata that learners can have read: what everybody was given, and answers, right and wrong.
public struct KnownSources: Sendable {
    public struct Answer: Sendable, Equatable {
        /// In the workbook.
        public var path: String
        public var fingerprints: SourceFingerprints

        public init(path: String, fingerprints: SourceFingerprints) {
            self.path = path
            self.fingerprints = fingerprints
        }
    }

    /// The hashes of the stub and of the code in the brief.
    private let given: Set<UInt32>
    private let answers: [Answer]
    /// Which answers have a hash.
    private let owners: [UInt32: [Int]]
    private let sizes: [Int]

    /// - Parameters:
    ///   - given: what everybody was given.
    ///   - answers: of two that are equally near, the first is named.
    public init(given: [String] = [], answers: [Answer] = []) {
        let runs = Set(given.flatMap { SourceFingerprints.runs(of: $0.utf8) })
        self.given = runs
        self.answers = answers
        var owners: [UInt32: [Int]] = [:]
        var sizes: [Int] = []
        for (place, answer) in answers.enumerated() {
            let hashes = answer.fingerprints.without(runs).hashes
            sizes.append(hashes.count)
            for hash in hashes { owners[hash, default: []].append(place) }
        }
        self.owners = owners
        self.sizes = sizes
    }

    /// The hashes that say nothing of what two learners have in common.
    public var discounted: Set<UInt32> { given.union(owners.keys) }

    /// The answer that a source has most in common with, if that is enough to report it.
    public func nearest(to source: SourceFingerprints) -> (answer: Answer, similarity: Double)? {
        let hashes = source.without(given).hashes
        guard hashes.count >= SimilarSources.fewest else { return nil }
        var shared = [Int](repeating: 0, count: answers.count)
        for hash in hashes { for place in owners[hash] ?? [] { shared[place] += 1 } }
        var best: (answer: Answer, similarity: Double)?
        for place in answers.indices where sizes[place] >= SimilarSources.fewest {
            let similarity = Double(2 * shared[place]) / Double(hashes.count + sizes[place])
            if similarity >= SimilarSources.threshold, similarity > best?.similarity ?? 0 {
                best = (answers[place], similarity)
            }
        }
        return best
    }
}
