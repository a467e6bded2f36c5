import BenchmarkHarness
import Crypto
import Foundation
import HeliumCrypto

/// SHA-256 and its hexadecimal text: OpenSSL through `HeliumCrypto` against swift-crypto.
struct DigestComparison {
    /// Measures messages of `bytes` bytes.
    func run(bytes: Int, rounds: Int) throws -> [OperationResult] {
        let message = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var alternation = Alternation([
            ("HeliumCrypto SHA-256", { Self.helium(message, count: $0) }),
            ("swift-crypto SHA-256", { Self.swiftCrypto(message, count: $0) }),
            ("HeliumCrypto SHA-256, hex", { Self.heliumHex(message, count: $0) }),
            ("swift-crypto SHA-256, hex", { Self.swiftCryptoHex(message, count: $0) }),
        ])
        return try alternation.run(group: "signing-\(bytes)", bytes: bytes, rounds: rounds)
    }

    private static func helium(_ message: [UInt8], count: Int) -> UInt64 {
        var hasher = HeliumCrypto.SHA256()
        var sum: UInt64 = 0
        message.withUnsafeBytes { message in
            for _ in 0..<count {
                hasher.update(message)
                sum &+= hasher.finalize().withUnsafeBytes { UInt64($0[0]) }
            }
        }
        return sum
    }

    private static func swiftCrypto(_ message: [UInt8], count: Int) -> UInt64 {
        var sum: UInt64 = 0
        message.withUnsafeBytes { message in
            for _ in 0..<count {
                var hasher = Crypto.SHA256()
                hasher.update(bufferPointer: message)
                sum &+= hasher.finalize().withUnsafeBytes { UInt64($0[0]) }
            }
        }
        return sum
    }

    private static func heliumHex(_ message: [UInt8], count: Int) -> UInt64 {
        var hasher = HeliumCrypto.SHA256()
        var sum: UInt64 = 0
        message.withUnsafeBytes { message in
            for _ in 0..<count {
                hasher.update(message)
                sum &+= UInt64(hasher.finalize().hex.utf8.count)
            }
        }
        return sum
    }

    private static func swiftCryptoHex(_ message: [UInt8], count: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<count {
            sum &+= UInt64(SwiftCryptoHex.string(Crypto.SHA256.hash(data: message)).utf8.count)
        }
        return sum
    }
}
