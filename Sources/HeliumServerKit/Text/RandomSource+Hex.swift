package import HeliumCore
internal import HeliumCrypto

extension RandomSource {
    /// Returns a secret that cannot be guessed: 48 hexadecimal digits.
    package func secret() -> String { hex(byteCount: 24) }

    /// Returns `byteCount` random bytes in lower-case hexadecimal.
    package func hex(byteCount: Int) -> String {
        bits(count: (byteCount + 7) / 8).withUnsafeBytes { bytes in
            Hex.string(UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
        }
    }
}
