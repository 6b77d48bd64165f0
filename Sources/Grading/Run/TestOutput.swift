/// What a test printed. Of more than the limit the beginning is kept and the end, which came just before the failure.
struct TestOutput {
    let limit: Int
    /// How many bytes are left out in the middle.
    private(set) var cut = 0
    private var first: [UInt8] = []
    /// Ends with the last of what came beyond the limit.
    private var last: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] {
        guard cut > 0 else { return first }
        let end = limit / 2
        return Array(first.prefix(limit - end) + (first.dropFirst(limit - end) + last).suffix(end))
    }

    mutating func add(_ bytes: some Collection<UInt8>) {
        let room = limit - first.count
        first += bytes.prefix(room)
        guard bytes.count > room else { return }
        cut += bytes.count - room
        last += bytes.dropFirst(room).suffix(limit / 2)
        // Shortened now and then only: what is printed in small pieces is not copied with each of them.
        if last.count > limit { last.removeFirst(last.count - limit / 2) }
    }
}
