import Crypto

/// Hexadecimal text as swift-crypto's users write it: the digest is a sequence of bytes.
enum SwiftCryptoHex {
    static func string(_ digest: Crypto.SHA256.Digest) -> String {
        digest.map { byte in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
    }
}
