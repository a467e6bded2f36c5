import Foundation
import TestSupport
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
        "helium sign prints the keys of the published examples",
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

    @Test("helium sign signs a JSON body from a file, and no other body")
    func body() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("body")
            try Data(#"{"name":"Buy Milk","status":"unchecked"}"#.utf8).write(to: file)
            let request = ["--method", "POST", "--url", "http://localhost/demo-auth/v1/todo", "--body-file", file.path]
            let json = try await Tool.run(["sign"] + Self.common + request + ["--content-type", "application/json"])
            #expect(
                json.stdout == Self.prefix + "e6bea2907587959538f3e6743cba2405380e10eaf917bd93279f8afda2a59574\n"
            )
            let piped = ["--method", "POST", "--url", "http://localhost/demo-auth/v1/todo", "--body-file", "-"]
            let input = try await Tool.run(
                ["sign"] + Self.common + piped + ["--content-type", "application/json"],
                input: #"{"name":"Buy Milk","status":"unchecked"}"#
            )
            #expect(input.stdout == json.stdout)
            let text = try await Tool.run(["sign"] + Self.common + request + ["--content-type", "text/plain"])
            let none = try await Tool.run(["sign"] + Self.common + request)
            #expect(text.stdout == none.stdout && text.stdout != json.stdout)
        }
    }

    @Test("a body file of helium sign that cannot be read is a failure, not a usage error")
    func missingBody() async throws {
        let request = ["--method", "POST", "--url", "http://localhost/a", "--body-file", "/nonexistent/body"]
        let outcome = try await Tool.run(["sign"] + Self.common + request)
        #expect(
            outcome.status == 1 && outcome.stderr.hasPrefix("helium: --body-file: /nonexistent/body: "),
            "\(outcome)"
        )
    }

    @Test("helium sign reads the secret from standard input, also from a pipe")
    func secretFromInput() async throws {
        let request = ["--method", "GET", "--url", "http://localhost/demo-auth/v1/todo"]
        let expected = try await Tool.run(["sign"] + Self.common + request).stdout
        let arguments = ["sign"] + Self.common[..<2] + ["--secret-file", "-"] + Self.common[4...] + request
        let file = try await Tool.run(arguments, input: Self.common[3] + "\n")
        #expect(file.status == 0 && file.stdout == expected, "\(file)")
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(Self.common[3].utf8))
        try pipe.fileHandleForWriting.close()
        let piped = try await Tool.run(arguments, inputFile: pipe.fileHandleForReading)
        #expect(piped.status == 0 && piped.stdout == expected, "\(piped)")
    }

    /// The signatures of the fixture that the options can express.
    private static let signatures: [Signature] = {
        do {
            let file = SharedDocuments.package.appendingPathComponent("Fixtures/middleware/signature-vectors.json")
            let fixture = try JSONDecoder().decode(Fixture.self, from: Data(contentsOf: file))
            return fixture.signatures.filter { $0.scheme != nil }
        } catch {
            fatalError("the fixture cannot be read: \(error)")
        }
    }()

    @Test("helium sign prints the key of every signature in the fixture that its options can express")
    func fixture() async throws {
        #expect(Self.signatures.count == 46)
        try await withTemporaryFolder { folder in
            for signature in Self.signatures {
                var arguments = [
                    "sign", "--device-id", signature.deviceID, "--secret", signature.secret, "--secret-id",
                    signature.secretID, "--timestamp", String(signature.timestamp), "--method", signature.method,
                    "--url", "\(signature.scheme ?? "")://placeholder",
                ]
                if let host = signature.host { arguments += ["--host", host] }
                if let target = signature.target { arguments += ["--target=\(target)"] }
                if let type = signature.contentType { arguments += ["--content-type", type] }
                if let body = signature.bodyBase64.flatMap({ Data(base64Encoded: $0) }) {
                    let file = folder.appendingPathComponent("body")
                    try body.write(to: file)
                    arguments += ["--body-file", file.path]
                }
                let outcome = try await Tool.run(arguments)
                #expect(outcome.stdout == signature.key + "\n", "\(signature.name): \(outcome.stderr)")
            }
        }
    }
}

private struct Fixture: Decodable { let signatures: [Signature] }

private struct Signature: Decodable, Sendable {
    let name: String
    let deviceID: String
    let secret: String
    let secretID: String
    let timestamp: Int64
    let method: String
    let scheme: String?
    let host: String?
    let target: String?
    let contentType: String?
    let bodyBase64: String?
    let key: String
}
