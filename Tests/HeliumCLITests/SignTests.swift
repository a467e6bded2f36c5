import Foundation
import Testing

@Suite("helium sign", .timeLimit(.minutes(5)))
struct SignTests {
    private static let common = [
        "--device-id", "a08ada7c88e2bd6c966de2c5cdfafe12", "--secret", "74168c7a1868ddeee3355fab9489914b",
        "--secret-id", "91205b43c5144068ee9979b093925f77", "--timestamp", "1455264007",
    ]
    private static let prefix = "a08ada7c88e2bd6c966de2c5cdfafe1291205b43c5144068ee9979b093925f771455264007"

    // Signatures from middleware.md section 2.
    @Test(
        "prints the key of the published examples",
        arguments: [
            (
                ["--url", "http://localhost/demo-auth/v1/todo"],
                "83292c14510c27f86d9f2e6ea38cfbf7b0ac15d6dd8bba05d8718c240da0586a"
            ),
            (["--url", "http://localhost"], "ae99c209a3fcfaa93e76d18eb14c5e71af5fc4d0b5f4742a202d2326c73966d8"),
            (
                ["--url", "http://[::1]:3000/demo-auth/v1/todo"],
                "1946e2a70f4e11932d8d062df7a542d4404f22dd69bca855c464d8fc1654e8ca"
            ),
            (
                ["--url", "https://api.example.com:443/demo-auth/v1/todo"],
                "89e11169b12b401e6a4c0adf6346785b7872e204fd5dcd2eeaaa3ebc35855677"
            ),
            (
                ["--url", "http://x", "--host", "localhost", "--target", "/demo-auth/v1/todo"],
                "83292c14510c27f86d9f2e6ea38cfbf7b0ac15d6dd8bba05d8718c240da0586a"
            ),
        ]
    )
    func examples(arguments: [String], signature: String) async throws {
        let outcome = try await Tool.run(["sign"] + Self.common + ["--method", "GET"] + arguments)
        #expect(outcome.status == 0 && outcome.stderr.isEmpty)
        #expect(outcome.stdout == Self.prefix + signature + "\n")
    }

    @Test("signs a JSON body from a file, and no other body")
    func body() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("body")
            try Data(#"{"name":"Buy Milk","status":"unchecked"}"#.utf8).write(to: file)
            let request = ["--method", "POST", "--url", "http://localhost/demo-auth/v1/todo", "--body-file", file.path]
            let json = try await Tool.run(["sign"] + Self.common + request + ["--content-type", "application/json"])
            #expect(
                json.stdout == Self.prefix + "e6bea2907587959538f3e6743cba2405380e10eaf917bd93279f8afda2a59574\n"
            )
            let text = try await Tool.run(["sign"] + Self.common + request + ["--content-type", "text/plain"])
            let none = try await Tool.run(["sign"] + Self.common + request)
            #expect(text.stdout == none.stdout && text.stdout != json.stdout)
        }
    }

    /// The vectors that the options can express, where they are present.
    private static let vectors: [Vector] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shared =
            ProcessInfo.processInfo.environment["HELIUM_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? root.deletingLastPathComponent().appendingPathComponent("shared")
        let file = shared.appendingPathComponent("data/middleware/signature-vectors.json")
        guard let data = try? Data(contentsOf: file),
            let document = try? JSONDecoder().decode(Vectors.self, from: data)
        else { return [] }
        return document.vectors.filter { $0.input.scheme != nil }
    }()

    @Test("reproduces every vector that its options can express", .enabled(if: !vectors.isEmpty))
    func allVectors() async throws {
        try await withTemporaryFolder { folder in
            for vector in Self.vectors {
                let input = vector.input
                var arguments = [
                    "sign", "--device-id", input.deviceId, "--secret", input.secret, "--secret-id", input.secretId,
                    "--timestamp", input.timestamp, "--method", input.method,
                    "--url", "\(input.scheme ?? "")://placeholder",
                ]
                if let host = input.hostHeader { arguments += ["--host", host] }
                if let target = input.requestTarget { arguments += ["--target=\(target)"] }
                if let type = input.contentType { arguments += ["--content-type", type] }
                if let body = input.bodyBase64.flatMap({ Data(base64Encoded: $0) }) {
                    let file = folder.appendingPathComponent("body")
                    try body.write(to: file)
                    arguments += ["--body-file", file.path]
                }
                let outcome = try await Tool.run(arguments)
                #expect(outcome.stdout == vector.expectedKey + "\n", "\(vector.id): \(outcome.stderr)")
            }
        }
    }
}

private struct Vectors: Decodable { let vectors: [Vector] }

private struct Vector: Decodable, Sendable {
    struct Input: Decodable, Sendable {
        let deviceId: String
        let secret: String
        let secretId: String
        let timestamp: String
        let method: String
        let scheme: String?
        let hostHeader: String?
        let requestTarget: String?
        let contentType: String?
        let bodyBase64: String?
    }

    let id: String
    let input: Input
    let expectedKey: String
}
