import HeliumCrypto
import Testing

@Suite("AES-256-GCM")
struct AESGCMTests {
    /// Test cases 13, 14 and 16 of the GCM specification (McGrew and Viega, appendix B).
    @Test(
        "AES-256-GCM has the published results",
        arguments: [
            ("00", 32, "000000000000000000000000", "", "", "", "530f8afbc74536b9a963b4f1c4cb738b"),
            (
                "00", 32, "000000000000000000000000", "00000000000000000000000000000000", "",
                "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"
            ),
            (
                "feffe9928665731c6d6a8f9467308308", 2, "cafebabefacedbaddecaf888",
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
                "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
                "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
        ] as [(String, Int, String, String, String, String, String)]
    )
    func publishedAnswer(
        unit: String,
        count: Int,
        nonce: String,
        plaintext: String,
        data: String,
        ciphertext: String,
        tag: String
    ) throws {
        let key = try EncryptionKey(bytes(String(repeating: unit, count: count)))
        let sealed = try AESGCM.seal(bytes(plaintext), key: key, authenticating: bytes(data), nonce: bytes(nonce))
        #expect(sealed == bytes(nonce + ciphertext + tag))
        #expect(try AESGCM.open(sealed, key: key, authenticating: bytes(data)) == bytes(plaintext))
    }

    @Test("AES-256-GCM decrypts what it encrypted, of any length", arguments: [0, 1, 15, 16, 17, 4_096, 100_001])
    func roundTrip(count: Int) throws {
        let key = try EncryptionKey.random()
        let plaintext = [UInt8](repeating: 0xa5, count: count)
        let sealed = try AESGCM.seal(plaintext, key: key)
        #expect(sealed.count == count + AESGCM.overhead)
        #expect(try AESGCM.open(sealed, key: key) == plaintext)
    }

    @Test("AES-256-GCM has a new nonce for every message")
    func freshNonce() throws {
        let key = try EncryptionKey.random()
        let nonces = try (0..<64).map { _ in Array(try AESGCM.seal([1], key: key).prefix(AESGCM.nonceByteCount)) }
        #expect(Set(nonces).count == 64)
    }

    @Test("AES-256-GCM refuses every single flipped bit")
    func flippedBits() throws {
        let key = try EncryptionKey.random()
        let sealed = try AESGCM.seal(Array("a registration".utf8), key: key, authenticating: [7])
        for index in sealed.indices {
            for bit in 0..<8 {
                var altered = sealed
                altered[index] ^= 1 << bit
                #expect(kind { try AESGCM.open(altered, key: key, authenticating: [7]) } == .authenticationFailed)
            }
        }
    }

    @Test("AES-256-GCM refuses another key, other authenticated data, and a changed length")
    func otherContext() throws {
        let key = try EncryptionKey.random()
        let other = try EncryptionKey.random()
        let sealed = try AESGCM.seal([1, 2, 3], key: key, authenticating: [7])
        #expect(kind { try AESGCM.open(sealed, key: other, authenticating: [7]) } == .authenticationFailed)
        #expect(kind { try AESGCM.open(sealed, key: key, authenticating: [8]) } == .authenticationFailed)
        #expect(kind { try AESGCM.open(sealed, key: key) } == .authenticationFailed)
        #expect(kind { try AESGCM.open(sealed + [0], key: key, authenticating: [7]) } == .authenticationFailed)
        for count in 0..<sealed.count {
            let cut = Array(sealed.prefix(count))
            #expect(kind { try AESGCM.open(cut, key: key, authenticating: [7]) } == .authenticationFailed)
        }
    }

    @Test("a key of AES-256-GCM has 32 bytes", arguments: [0, 1, 16, 24, 31, 33, 64])
    func keyLength(count: Int) {
        #expect(kind { try EncryptionKey([UInt8](repeating: 1, count: count)) } == .invalidKeyLength)
    }

    @Test("the description of a key of AES-256-GCM does not show it")
    func redaction() throws {
        let key = try EncryptionKey([UInt8](repeating: 0xab, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "EncryptionKey(redacted)")
        #expect(!dumped.contains("171") && !dumped.contains("ab"))
    }

    private func kind<R>(_ body: () throws -> R) -> CryptoError.Kind? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? CryptoError)?.kind
        }
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
