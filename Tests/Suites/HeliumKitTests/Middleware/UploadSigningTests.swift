import Foundation
import HTTPTypes
import HeliumCrypto
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumKit

@Suite("Signatures of bodies that are read while they are sent")
struct UploadSigningTests {
    private let clock = TestClock()

    /// Texts in which what a letter becomes depends on others far away, and such as are no UTF-8.
    private static let texts: [Data] = [
        Data(#"{"Name":"ÄÖÜ ΟΔΟΣ ΣΣ","x":"ΑΣ'Α ΑΣ' Α.Σ:Σ"}"#.utf8),
        Data("ΣΑΣ1Σ,ΑΣ\"Σ\u{0301}Σ\u{0301} İI\u{0307}".utf8),
        Data([0x22, 0xCE, 0xA3, 0xC3, 0x28, 0xF0, 0x9F, 0x22, 0xE2, 0x82, 0x41]),
        Data(String(repeating: "ΑΣ", count: 3000).utf8),
        Data(),
    ]

    @Test("the hash of a body is the same for any chunks", arguments: texts)
    func chunks(text: Data) {
        var whole = SHA256()
        text.withUnsafeBytes { bytes in LowercasedUTF8.forEachChunk(of: bytes) { whole.update($0) } }
        let expected = whole.finalize()
        for size in [1, 2, 3, 5, 7, 64, 100_000] {
            var hash = ChunkedBodyHash()
            var rest = text[...]
            while !rest.isEmpty {
                hash.update(Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(hash.finalize() == expected, "pieces of \(size)")
        }
    }

    private func key(of content: RequestContent) async throws -> String? {
        let keys = Guarded<[String?]>([])
        let fake = FakeMiddleware(clock: clock)
        let inner = fake.transport
        let helium = try makeHelium(fake) {
            $0.environment.transport = MockTransport { request async throws(TransportFailure) in
                keys.withLock { $0.append(request.fields[HTTPField.Name("key") ?? .accept]) }
                return try await inner.execute(request)
            }
        }
        try await helium.put("/a", body: content).value()
        return keys.withLock { $0.last ?? nil }
    }

    @Test("a JSON body from a file is signed as the same bytes in memory")
    func sameKey() async throws {
        let json = Data(#"{"NAME":"Σ"}"#.utf8)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString).json")
        try json.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let expected = try await key(of: .json(bytes: json))
        #expect(try await key(of: .file(at: path)) == expected)
        #expect(
            try await key(of: .upload(UploadBody(json), contentType: "Application/JSON; charset=utf-8")) == expected
        )
        // Of another type the body has no part in it.
        #expect(try await key(of: .upload(UploadBody(json), contentType: "image/png")) != expected)
    }

    @Test("a JSON body that can be read only once is refused before any I/O")
    func once() async throws {
        let fake = FakeMiddleware(clock: clock)
        let helium = try makeHelium(fake)
        func content(_ type: String) -> RequestContent {
            .stream(contentType: type, isReplayable: false) {
                AsyncStream<Data> { continuation in
                    continuation.yield(Data("{}".utf8))
                    continuation.finish()
                }
            }
        }
        let error = try await failure(of: {
            try await helium.post("/a", body: content("application/json")).value()
        })
        #expect(error.kind == .invalidRequest && error.delivery == .notSent && error.message.contains("only once"))
        #expect(fake[\.posts] == 0)
        try await helium.post("/a", body: content("image/png")).value()
    }

    @Test("a JSON body that cannot be read fails before the request")
    func unreadable() async throws {
        let helium = try makeHelium(FakeMiddleware(clock: clock))
        let error = try await failure(of: {
            try await helium.post("/a", body: .file(atPath: "/nowhere/at/all.json")).value()
        })
        #expect(error.kind == .requestBodyFailed && error.delivery == .notSent)
    }
}
