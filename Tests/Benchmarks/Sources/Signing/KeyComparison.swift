import BenchmarkHarness
import Crypto
import Foundation
import HeliumKit

/// The whole `key` header of the middleware (text, hash, hexadecimal): `RequestSigner` against a straightforward one
/// made with strings and swift-crypto.
struct KeyComparison {
    private let deviceID = String(repeating: "0123456789abcdef", count: 2)
    private let secret = String(repeating: "fedcba9876543210", count: 2)
    private let secretID = String(repeating: "00112233445566ff", count: 2)
    private let timestamp: Int64 = 1_795_248_000
    private let host = "api.example.com"

    /// Measures a GET whose signed text has `bytes` bytes; throws if the two make different keys.
    func run(bytes: Int, rounds: Int) throws -> [OperationResult] {
        let fixed =
            deviceID.utf8.count + secret.utf8.count + 10 + "GET".utf8.count + "https://".utf8.count + host.utf8.count
        let target = "/demo-auth/v1/items?q=" + String(repeating: "x", count: bytes - fixed - 22)
        let signer = RequestSigner(deviceID: deviceID, secret: Secret(secret), secretID: secretID)
        let input = SignatureInput(method: "GET", scheme: "https", host: host, target: target)
        guard signer.key(for: input, at: timestamp) == key(target: target) else { throw DifferentKeys() }

        var alternation = Alternation([
            (
                "Helium whole signature",
                { count in
                    (0..<count).reduce(0) { sum, index in
                        sum &+ UInt64(signer.key(for: input, at: timestamp &+ Int64(index & 63)).utf8.count)
                    }
                }
            ),
            (
                "whole signature by strings and swift-crypto",
                { count in (0..<count).reduce(0) { sum, _ in sum &+ UInt64(key(target: target).utf8.count) } }
            ),
        ])
        return try alternation.run(group: "signing-\(bytes)", bytes: bytes, rounds: rounds)
    }

    private func key(target: String) -> String {
        let text = (deviceID + secret + String(timestamp) + "GET" + "https://" + host + target).lowercased()
        return deviceID + secretID + String(timestamp)
            + SwiftCryptoHex.string(Crypto.SHA256.hash(data: Data(text.utf8)))
    }
}

/// The two libraries do not agree: no time means anything then.
struct DifferentKeys: Error {}
