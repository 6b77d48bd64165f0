import Foundation
import Workbook

/// SHA-256 (FIPS 180-4): what caches, journals and reports name content by.
///
/// Foundation has no digest on Linux, and the package has no dependencies.
public struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    public init() {}

    /// The digest of `bytes`.
    public static func digest(of bytes: some Sequence<UInt8>) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of a text's UTF-8.
    public static func digest(of text: String) -> Digest { digest(of: text.utf8) }

    public mutating func update(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(contiguous: $0) }
        if isDone == nil { Array(bytes).withUnsafeBufferPointer { update(contiguous: $0) } }
    }

    /// Whole blocks are taken where they lie; only what is left of one is copied.
    private mutating func update(contiguous bytes: UnsafeBufferPointer<UInt8>) {
        length += UInt64(bytes.count) * 8
        var start = 0
        if !pending.isEmpty {
            start = min(64 - pending.count, bytes.count)
            pending.append(contentsOf: bytes[..<start])
            guard pending.count == 64 else { return }
            compress()
            pending.removeAll(keepingCapacity: true)
        }
        if let base = bytes.baseAddress {
            while start + 64 <= bytes.count {
                compress(base + start)
                start += 64
            }
        }
        pending.append(contentsOf: bytes[start...])
    }

    public consuming func finalize() -> Digest {
        let bits = length
        pending.append(0x80)
        if pending.count > 56 {
            pending.append(contentsOf: repeatElement(0, count: 64 - pending.count))
            compress()
            pending.removeAll(keepingCapacity: true)
        }
        pending.append(contentsOf: repeatElement(0, count: 56 - pending.count))
        for shift in stride(from: 56, through: 0, by: -8) { pending.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        compress()
        return Digest(
            bytes: state.flatMap { word in
                stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
            })
    }

    private mutating func compress() {
        let block = pending
        block.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { compress(base) }
        }
    }

    /// Bare pointers, since this runs in unoptimised builds as well, where each index of an array is a call.
    private mutating func compress(_ block: UnsafePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { buffer in
            guard let words = buffer.baseAddress else { return }
            var index = 0
            while index < 16 {
                let byte = block + index * 4
                words[index] = UInt32(byte[0]) << 24 | UInt32(byte[1]) << 16 | UInt32(byte[2]) << 8 | UInt32(byte[3])
                index += 1
            }
            while index < 64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let low = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
                let high = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
                words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
                index += 1
            }
            Self.constants.withUnsafeBufferPointer { constants in
                state.withUnsafeMutableBufferPointer { state in
                    guard let constants = constants.baseAddress, let state = state.baseAddress else { return }
                    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
                    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
                    var index = 0
                    while index < 64 {
                        let sum1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
                        let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                        let sum0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
                        let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
                        h = g
                        g = f
                        f = e
                        e = d &+ first
                        d = c
                        c = b
                        b = a
                        a = first &+ second
                        index += 1
                    }
                    state[0] &+= a
                    state[1] &+= b
                    state[2] &+= c
                    state[3] &+= d
                    state[4] &+= e
                    state[5] &+= f
                    state[6] &+= g
                    state[7] &+= h
                }
            }
        }
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

/// Thirty-two bytes that stand for content.
public struct Digest: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Sixty-four hexadecimal digits.
    public var hex: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// As a Content-Security-Policy names it.
    public var base64: String { Data(bytes).base64EncodedString() }
}

extension Shard {
    /// Whether a learner belongs to this share of a class: the name alone decides, so every machine says the same.
    public func contains(learner: String) -> Bool {
        let number = SHA256.digest(of: learner).bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(count)) == index - 1
    }
}
