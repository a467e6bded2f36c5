import HeliumCrypto
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    /// FIPS 180-4's examples, and a million times `a`.
    @Test(
        "SHA-256 has the published digests",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    )
    func publishedAnswer(unit: String, count: Int, hex: String) {
        #expect(SHA256.hash(String(repeating: unit, count: count).utf8).hex == hex)
    }

    @Test("SHA-256 of parts is that of the whole, and the hasher restarts", arguments: [1, 7, 63, 64, 65])
    func pieces(length: Int) {
        let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        var hasher = SHA256()
        for _ in 0..<2 {
            message.withUnsafeBytes { message in
                for start in stride(from: 0, to: message.count, by: length) {
                    let end = min(start + length, message.count)
                    hasher.update(UnsafeRawBufferPointer(rebasing: message[start..<end]))
                }
            }
            #expect(hasher.finalize() == SHA256.hash(message))
        }
    }

    @Test("a SHA-256 hasher can start from the state of a message's beginning")
    func absorbedBeginning() {
        var beginning = SHA256()
        [UInt8]("device and secret".utf8).withUnsafeBytes { beginning.update($0) }
        var hasher = SHA256()
        for end in ["one", "two", ""] {
            [UInt8]("forgotten".utf8).withUnsafeBytes { hasher.update($0) }
            hasher.reset(to: beginning)
            [UInt8](end.utf8).withUnsafeBytes { hasher.update($0) }
            #expect(hasher.finalize() == SHA256.hash(("device and secret" + end).utf8))
        }
    }

    @Test("SHA-256 digests differ if any word differs", arguments: 0..<32)
    func equality(position: Int) {
        let digests = (0..<64).map { SHA256.hash([UInt8(position), UInt8($0)]) }
        #expect(Set(digests).count == 64)
        #expect(digests[0].bytes.count == SHA256.byteCount)
    }

    @Test("random bytes are not repeated and have the requested length", arguments: [0, 1, 16, 1_000])
    func randomBytes(count: Int) throws {
        let (first, second) = (try SecureRandom.bytes(count), try SecureRandom.bytes(count))
        #expect(first.count == count)
        if count >= 16 { #expect(first != second) }
    }

    @Test("random bytes of a number out of range are an error", arguments: [Int.min, -1, 1 << 31, .max])
    func randomRange(count: Int) {
        #expect(throws: CryptoError.self) { try SecureRandom.bytes(count) }
    }
}
