/// The name that a person may have meant.
public struct NearestName: Sendable, Equatable {
    /// `nil` where nothing is near enough to be meant.
    public let name: String?

    /// Looks among `names` in any case; the only name that begins with what was written, or has it within, is near as well.
    public init(to written: String, among names: [String]) {
        let wanted = Array(written.lowercased())
        let allowed = max(1, wanted.count / 3)
        let ranked = names.map { (name: $0, distance: Self.distance(wanted, Array($0.lowercased()))) }
        let best = ranked.min { $0.distance < $1.distance }
        if let best, best.distance <= allowed, best.distance < max(wanted.count, 1) {
            name = best.name
        } else {
            let completions = names.filter { wanted.count >= 2 && $0.lowercased().hasPrefix(written.lowercased()) }
            let holders = names.filter { wanted.count >= 3 && $0.lowercased().contains(written.lowercased()) }
            name = completions.count == 1 ? completions[0] : holders.count == 1 ? holders[0] : nil
        }
    }

    /// How many letters have to be put in, left out, changed, or swapped with their neighbor.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
