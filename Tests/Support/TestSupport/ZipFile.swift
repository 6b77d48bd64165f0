import Foundation

/// A .zip as honest and hostile learners make it: every name, kind and size that the format allows.
public struct ZipFile {
    public struct Member {
        var name: String
        var content: Data
        /// As `stat` says it: a file, a folder, a link.
        var mode: UInt32
        /// The unpacked size that the archive states, if that is false.
        var claimedBytes: Int?

        public init(name: String, content: Data = Data(), mode: UInt32 = 0o100644, claimedBytes: Int? = nil) {
            self.name = name
            self.content = content
            self.mode = mode
            self.claimedBytes = claimedBytes
        }
    }

    var members: [Member]

    public init(members: [Member]) {
        self.members = members
    }

    public func data() -> Data {
        var file = Data()
        var directory = Data()
        for member in members {
            let name = Data(member.name.utf8)
            let size = UInt32(truncatingIfNeeded: member.claimedBytes ?? member.content.count)
            var common = Data()
            // Version, UTF-8 names, stored, no time; checksum, packed size, unpacked size; lengths.
            common.append(number: UInt16(20), UInt16(0x800), UInt16(0), UInt16(0), UInt16(0x21))
            common.append(number: Self.checksum(member.content), UInt32(member.content.count), size)
            common.append(number: UInt16(name.count), UInt16(0))
            directory.append(number: UInt32(0x0201_4b50), UInt16(3 << 8 | 20))
            directory += common
            directory.append(number: UInt16(0), UInt16(0), UInt16(0), member.mode << 16, UInt32(file.count))
            directory += name
            file.append(number: UInt32(0x0403_4b50))
            file += common + name + member.content
        }
        let start = UInt32(file.count)
        file += directory
        file.append(number: UInt32(0x0605_4b50), UInt32(0), UInt16(members.count), UInt16(members.count))
        file.append(number: UInt32(directory.count), start, UInt16(0))
        return file
    }

    private static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(~0 as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}

extension Data {
    fileprivate mutating func append<each Number: FixedWidthInteger>(number: repeat each Number) {
        for value in repeat each number { Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) } }
    }
}
