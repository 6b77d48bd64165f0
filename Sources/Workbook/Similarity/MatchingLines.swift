/// Which lines of two sources match: where what both have in common is in each of them.
///
/// A match begins at a fingerprint that both have and that counts, and reaches as far as the tokens around it are the
/// same. A line belongs to a match if half of its tokens do, and at its ends only if that holds in both sources. A line of
/// which half is discounted belongs to none, and ends a match.
public struct MatchingLines: Sendable, Equatable {
    /// The first and the last line of a match in each source. Between them may be lines that do not match.
    public struct Match: Sendable, Equatable {
        public var first: ClosedRange<Int>
        public var second: ClosedRange<Int>
    }

    /// What a line is, if it is in no match: it does not count, or it is nowhere else.
    public static let discounted = -1
    public static let different = 0

    /// For each line of a source: the number of its match, from 1, or one of the two above.
    public let first: [Int]
    public let second: [Int]
    /// In the order in which they are in the first source; the first has the number 1.
    public let matches: [Match]

    /// - Parameter discounted: the hashes of what everybody was given, or can have read.
    public init(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>, discounting discounted: Set<UInt32>)
    {
        let sources = (Source(Array(first), discounted), Source(Array(second), discounted))
        var segments = Self.segments(sources.0, sources.1, discounted)
        var lines = (sources.0.lines(of: segments.map(\.first)), sources.1.lines(of: segments.map(\.second)))
        for index in segments.indices {
            segments[index].trim { first, second in
                sources.0.lines[first].contains { lines.0[$0] == index + 1 }
                    && sources.1.lines[second].contains { lines.1[$0] == index + 1 }
            }
        }
        lines = (sources.0.lines(of: segments.map(\.first)), sources.1.lines(of: segments.map(\.second)))
        var numbers = [Self.different: Self.different, Self.discounted: Self.discounted]
        var matches: [Match] = []
        for index in segments.indices {
            let found = (lines.0.places { $0 == index + 1 }, lines.1.places { $0 == index + 1 })
            // A match is left out if its lines do not count on one side, or belong to larger matches.
            guard let inFirst = found.0, let inSecond = found.1 else { continue }
            matches.append(Match(first: inFirst, second: inSecond))
            numbers[index + 1] = matches.count
        }
        lines.0 = lines.0.map { numbers[$0] ?? Self.different }
        lines.1 = lines.1.map { numbers[$0] ?? Self.different }
        self.first = lines.0
        self.second = lines.1
        self.matches = matches
    }

    /// The same tokens in both sources.
    private struct Segment {
        var first: Range<Int>
        var second: Range<Int>

        /// The parts of it between what does not count.
        func parts(without isDiscounted: (_ first: Int, _ second: Int) -> Bool) -> [Segment] {
            let apart = second.lowerBound - first.lowerBound
            return first.split { isDiscounted($0, $0 + apart) }.compactMap { part in
                guard let from = part.first, let last = part.last else { return nil }
                return Segment(first: from..<last + 1, second: from + apart..<last + 1 + apart)
            }
        }

        /// Takes away from its ends what does not belong to it.
        mutating func trim(to belongs: (_ first: Int, _ second: Int) -> Bool) {
            let apart = second.lowerBound - first.lowerBound
            let from = first.first { belongs($0, $0 + apart) } ?? first.upperBound
            let to = first.last { belongs($0, $0 + apart) }.map { $0 + 1 } ?? from
            first = from..<to
            second = from + apart..<to + apart
        }
    }

    /// More places of one fingerprint say no more: it is in a list of what is alike.
    private static let mostPlaces = 4

    /// What matches, in the order of the first source. No token is in two segments: the longer one has it.
    private static func segments(_ first: Source, _ second: Source, _ discounted: Set<UInt32>) -> [Segment] {
        let places = (first.places(without: discounted), second.places(without: discounted))
        // By how far the places in the two sources are apart: how far it was looked at already.
        var seen: [Int: Int] = [:]
        var all: [Segment] = []
        let starts = places.0.flatMap { hash, starts in starts.prefix(mostPlaces).map { ($0, hash) } }
        for (start, hash) in starts.sorted(by: { $0.0 < $1.0 }) {
            for other in (places.1[hash] ?? []).prefix(mostPlaces) where seen[other - start, default: 0] <= start {
                let apart = other - start
                var (from, to) = (start, start)
                while from > max(0, -apart), first.codes[from - 1] == second.codes[from - 1 + apart] { from -= 1 }
                let end = min(first.codes.count, second.codes.count - apart)
                while to < end, first.codes[to] == second.codes[to + apart] { to += 1 }
                seen[apart] = max(to, start + 1)
                // Otherwise they have the same hash of different tokens.
                guard to - from >= SourceFingerprints.run else { continue }
                all.append(Segment(first: from..<to, second: from + apart..<to + apart))
            }
        }
        all.sort {
            ($1.first.count, $0.first.lowerBound, $0.second.lowerBound)
                < ($0.first.count, $1.first.lowerBound, $1.second.lowerBound)
        }
        var isTaken = (
            [Bool](repeating: false, count: first.codes.count), [Bool](repeating: false, count: second.codes.count)
        )
        var chosen: [Segment] = []
        for segment in all {
            let apart = segment.second.lowerBound - segment.first.lowerBound
            var start = segment.first.lowerBound
            for index in segment.first.lowerBound...segment.first.upperBound {
                let isEnd = index == segment.first.upperBound || isTaken.0[index] || isTaken.1[index + apart]
                guard isEnd else { continue }
                if index - start >= SourceFingerprints.run {
                    chosen.append(Segment(first: start..<index, second: start + apart..<index + apart))
                    for taken in start..<index { (isTaken.0[taken], isTaken.1[taken + apart]) = (true, true) }
                }
                start = index + 1
            }
        }
        return chosen.flatMap { $0.parts { first.isDiscounted[$0] && second.isDiscounted[$1] } }
            .sorted { $0.first.lowerBound < $1.first.lowerBound }
    }

    /// The tokens of a source, each with the lines that it is on.
    private struct Source {
        var codes: [UInt32]
        /// From 0.
        var lines: [ClosedRange<Int>]
        var lineCount: Int
        var isDiscounted: [Bool]
        var runs: [UInt32]

        init(_ bytes: [UInt8], _ discounted: Set<UInt32>) {
            let tokens = EffectiveTokens.placedCodes(of: bytes)
            codes = tokens.map(\.code)
            var line = 0
            var read = 0
            func place(_ end: Int) -> Int {
                line += bytes[read..<end].count { $0 == UInt8(ascii: "\n") }
                read = end
                return line
            }
            lines = tokens.map { token in
                let start = place(token.place.lowerBound)
                // The line of its last byte: a text without an end may reach behind the last line.
                return start...place(max(token.place.lowerBound, token.place.upperBound - 1))
            }
            lineCount = place(bytes.count) + (bytes.last == UInt8(ascii: "\n") || bytes.isEmpty ? 0 : 1)
            runs = SourceFingerprints.runs(of: codes)
            isDiscounted = [Bool](repeating: false, count: codes.count)
            var end = 0
            for (start, hash) in runs.enumerated() where discounted.contains(hash) {
                for index in max(start, end)..<start + SourceFingerprints.run { isDiscounted[index] = true }
                end = start + SourceFingerprints.run
            }
        }

        /// Where the fingerprints are that count.
        func places(without discounted: Set<UInt32>) -> [UInt32: [Int]] {
            let kept = SourceFingerprints.kept(of: runs).filter { !discounted.contains(runs[$0]) }
            return Dictionary(grouping: kept) { runs[$0] }
        }

        /// For each line what it is, where these tokens are the matches 1, 2, …
        func lines(of matches: [Range<Int>]) -> [Int] {
            var counts = [[Int: Int]](repeating: [:], count: lineCount)
            for (number, match) in matches.enumerated() {
                for token in match where !isDiscounted[token] {
                    for line in lines[token] { counts[line][number + 1, default: 0] += 1 }
                }
            }
            for token in codes.indices where isDiscounted[token] {
                for line in lines[token] { counts[line][MatchingLines.discounted, default: 0] += 1 }
            }
            var totals = [Int](repeating: 0, count: lineCount)
            for range in lines { for line in range { totals[line] += 1 } }
            return counts.indices.map { line in
                let most = counts[line].max { ($0.value, $1.key) < ($1.value, $0.key) }
                guard let most, most.value * 2 >= totals[line] else { return MatchingLines.different }
                return most.key
            }
        }
    }
}

extension [Int] {
    /// The numbers, from 1, of the first and the last element that is wanted.
    fileprivate func places(where isWanted: (Int) -> Bool) -> ClosedRange<Int>? {
        guard let first = firstIndex(where: isWanted), let last = lastIndex(where: isWanted) else { return nil }
        return first + 1...last + 1
    }
}
