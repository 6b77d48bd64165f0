import Testing
import Workbook

@testable import Storage

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "gives the digests of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func standardExamples(text: String, hex: String) {
        #expect(SHA256.digest(of: text).hex == hex)
    }

    @Test("gives the same digest if the bytes arrive in pieces")
    func pieces() {
        var hash = SHA256()
        for count in [1, 63, 64, 65, 127] { hash.update(repeatElement(UInt8(ascii: "a"), count: count)) }
        #expect(hash.finalize() == SHA256.digest(of: String(repeating: "a", count: 320)))
    }
}
