import HeliumCrypto
import Testing

@Suite("SHA-1 (FIPS 180-4)")
struct SHA1Tests {
    @Test(
        "SHA-1 has the digests of the standard's examples",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
        ]
    )
    func examples(_ text: String, _ digest: String) {
        #expect(SHA1.hex(of: Array(text.utf8)) == digest)
    }
}
