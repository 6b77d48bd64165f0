/// Cuts the bytes of a client into messages. Each one stands behind a header that says how long it is.
struct MessageFrames: Sendable {
    /// After one of these, nothing says where the next message begins.
    enum Failure: Error, Equatable, Sendable {
        /// There is no length: the beginning of what stands there.
        case noLength(found: String)
        case tooLarge(bytes: Int, limit: Int)
    }

    /// A kata's file has at most some hundred thousand bytes.
    static let largest = 8 << 20
    private static let largestHeader = 4096

    private var bytes: [UInt8] = []
    /// Where the message begins that comes next.
    private var start = 0

    init() {}

    mutating func append(_ new: [UInt8]) {
        bytes.removeFirst(start)
        start = 0
        bytes += new
    }

    /// The next message that is there as a whole.
    mutating func next() throws(Failure) -> [UInt8]? {
        guard let header = try header() else { return nil }
        let end = header.end + header.length
        guard end <= bytes.count else { return nil }
        defer { start = end }
        return Array(bytes[header.end..<end])
    }

    private func header() throws(Failure) -> (length: Int, end: Int)? {
        let part = bytes[start...].prefix(Self.largestHeader)
        var line: [UInt8] = []
        var length: Int?
        for (index, byte) in zip(part.indices, part) {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                guard let length else { throw noLength(part) }
                return (length, index + 1)
            }
            let field = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { throw noLength(line) }
            if field[0].lowercased() == "content-length" {
                guard let value = Int(field[1].filter { $0 != " " }), value >= 0 else { throw noLength(line) }
                guard value <= Self.largest else { throw .tooLarge(bytes: value, limit: Self.largest) }
                length = value
            }
            line = []
        }
        if part.count == Self.largestHeader { throw noLength(part) }
        return nil
    }

    private func noLength(_ found: some Collection<UInt8>) -> Failure {
        .noLength(found: String(decoding: found.prefix(40), as: UTF8.self))
    }

    /// A message as it is sent.
    static func framed(_ body: [UInt8]) -> [UInt8] { Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body }
}
