import Foundation
import HeliumCrypto
import Testing

@testable import HeliumKit

@Suite("Request signer")
struct RequestSignerTests {
    private static let device = "a08ada7c88e2bd6c966de2c5cdfafe12"
    private static let secret = "74168c7a1868ddeee3355fab9489914b"
    private static let secretID = "91205b43c5144068ee9979b093925f77"
    private let signer = RequestSigner(deviceID: device, secret: Secret(secret), secretID: secretID)
    private let getTodo = SignatureInput(
        method: "GET",
        scheme: "http",
        host: "localhost",
        target: "/demo-auth/v1/todo"
    )

    @Test("a signed key is accepted by the reference server", arguments: SignatureFixture.shared.signatures)
    func knownAnswer(vector: SignatureFixture.Signature) {
        let signer = RequestSigner(deviceID: vector.deviceID, secret: Secret(vector.secret), secretID: vector.secretID)
        #expect(key(of: vector, by: signer) == vector.key)
        // A second time from the reused state, and after another text.
        _ = signer.key(for: getTodo, at: 1)
        #expect(key(of: vector, by: signer) == vector.key)
    }

    @Test("the fixture has all signatures")
    func fixtureIsComplete() {
        let fixture = SignatureFixture.shared
        #expect(fixture.signatures.count == 47)
        #expect(fixture.accepted.count == 5)
        #expect(fixture.rejected.count == 28)
        #expect(fixture.lowercased.count == 18)
    }

    @Test(
        "accepted variations of a key differ in letter case at most, except the static key",
        arguments: SignatureFixture.shared.accepted.filter { $0.name != "static-key" }
    )
    func variation(_ accepted: SignatureFixture.Accepted) throws {
        let base = try #require(SignatureFixture.shared.signatures.first { $0.name == accepted.of })
        #expect(key(of: base, by: signer) == accepted.key.lowercased())
    }

    @Test(
        "a signed key is never one that the server refuses",
        arguments: SignatureFixture.shared.rejected.filter { rejected in
            // Those where the key itself is at fault, not the server's clock, its records or the body's syntax.
            let others = [
                "secret-disabled", "secret-other-group", "unknown-device", "device-disabled", "too-old", "too-new",
                "signature-method",
            ]
            return !others.contains(rejected.name)
        }
    )
    func rejection(_ rejected: SignatureFixture.Rejected) {
        let input = SignatureInput(
            method: rejected.method,
            scheme: rejected.scheme,
            host: rejected.host,
            target: rejected.target,
            contentType: rejected.contentType
        )
        let ours = signer.key(for: input, body: rejected.body, at: 1_455_264_007)
        #expect(ours != rejected.key)
    }

    @Test(
        "the fixture agrees with the original collection",
        .enabled(if: FileManager.default.fileExists(atPath: SignatureFixture.originalURL.path))
    )
    func originalCollection() throws {
        struct Original: Decodable {
            struct Vector: Decodable {
                let id: String
                let expectedKey: String
                let bodyHash: String
            }
            struct Text: Decodable {
                let text: String
                let sha256: String
            }
            let vectors: [Vector]
            let lowercase: [Text]
        }
        let data = try Data(contentsOf: SignatureFixture.originalURL)
        let original = try JSONDecoder().decode(Original.self, from: data)
        let fixture = SignatureFixture.shared
        #expect(original.vectors.map(\.id) == fixture.signatures.map(\.name))
        #expect(original.vectors.map(\.expectedKey) == fixture.signatures.map(\.key))
        #expect(original.vectors.map(\.bodyHash) == fixture.signatures.map(\.bodyHash))
        #expect(original.lowercase.map(\.sha256) == fixture.lowercased.map(\.sha256))
    }

    @Test("one signer gives the same keys from many tasks at once")
    func parallel() async {
        let input = getTodo
        let expected = (0..<64).map { key in
            RequestSigner(deviceID: Self.device, secret: Secret(Self.secret), secretID: Self.secretID)
                .key(for: input, at: Int64(key))
        }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { [signer] in
                    (0..<64).allSatisfy { signer.key(for: input, at: Int64($0)) == expected[$0] }
                }
            }
            for await allEqual in group { #expect(allEqual) }
        }
    }

    @Test(
        "a timestamp has ten digits also if the client's clock is far off",
        arguments: [(0, "0000000000"), (-5, "0000000000"), (86_400, "0000086400"), (9_999_999_999, "9999999999")]
            as [(Int64, String)]
    )
    func timestampDigits(timestamp: Int64, digits: String) {
        let key = signer.key(for: getTodo, at: timestamp)
        #expect(key.count == 138)
        #expect(key.dropFirst(64).prefix(10) == digits)
    }

    @Test(
        "a body is signed only with the media type application/json",
        arguments: [
            ("application/json", true), ("APPLICATION/JSON", true), ("application/json; charset=utf-8", true),
            (" application/json\t;charset=utf-8", true), ("application/json;", true),
            ("application/vnd.api+json", false), ("application/jsonx", false), ("application/jso", false),
            ("application\u{0f}json", false), ("text/json", false), ("", false), (";application/json", false),
            (nil, false),
        ] as [(String?, Bool)]
    )
    func bodyRule(contentType: String?, isSigned: Bool) {
        var input = getTodo
        input.contentType = contentType
        let without = signer.key(for: input, at: 1_455_264_007)
        #expect(input.signsBody == isSigned)
        #expect((signer.key(for: input, body: Data("{}".utf8), at: 1_455_264_007) != without) == isSigned)
        #expect(signer.key(for: input, body: Data(), at: 1_455_264_007) == without)
    }

    @Test("a long body has the same hash in parts", arguments: ["a", "Ä", "Σ'", "漢A"])
    func longBody(unit: String) {
        var input = getTodo
        input.contentType = "application/json"
        for count in [4_079, 4_080, 4_096, 9_000, 20_000] {
            let text = String(repeating: unit, count: count)
            let hash = SHA256.hash(ReferenceLowercasing.lowercase(text).utf8).hex
            let expected = SHA256.hash(
                "\(Self.device)\(Self.secret)1455264007gethttp://localhost/demo-auth/v1/todo\(hash)".utf8
            ).hex
            #expect(signer.key(for: input, body: Data(text.utf8), at: 1_455_264_007).hasSuffix(expected))
        }
    }

    @Test("lower-casing depends on context across the parts of a request")
    func nonASCIIParts() {
        let signer = RequestSigner(deviceID: "ΟΔΟΣ", secret: "Σ", secretID: "id")
        let input = SignatureInput(method: "GET", scheme: "http", host: "ΑΣ", target: "/Σ")
        let text = ReferenceLowercasing.lowercase("ΟΔΟΣΣ1455264007GEThttp://ΑΣ/Σ")
        #expect(signer.key(for: input, at: 1_455_264_007).hasSuffix(SHA256.hash(text.utf8).hex))
    }

    @Test("the description of a signer shows neither the secret nor the device id")
    func redaction() {
        var dumped = ""
        dump(signer, to: &dumped)
        for text in ["\(signer)", String(reflecting: signer), dumped] {
            // Not in the expectation itself: a failure would print the secret.
            let isClean = !text.contains(Self.secret) && !text.contains(Self.device)
            #expect(isClean)
        }
    }

    private func key(of vector: SignatureFixture.Signature, by signer: RequestSigner) -> String {
        guard let scheme = vector.scheme, let host = vector.host, let target = vector.target else {
            // The Android client's vector has an arbitrary text in place of a URL.
            let hash = vector.body.map { SHA256.hash($0) }
            return signer.key(method: vector.method, at: vector.timestamp, bodyHash: hash) {
                $0.append(contentsOf: vector.url.utf8)
            }
        }
        let input = SignatureInput(
            method: vector.method,
            scheme: scheme,
            host: host,
            target: target,
            contentType: vector.contentType
        )
        return signer.key(for: input, body: vector.body, at: vector.timestamp)
    }
}
