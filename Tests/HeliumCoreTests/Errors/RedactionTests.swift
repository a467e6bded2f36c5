import HTTPTypes
import HeliumCore
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test("masks known secrets whatever the letter case, and long hexadecimal runs")
    func redactor() {
        let redactor = Redactor(secrets: ["S3cretValue", "", "ab"])
        let key = String(repeating: "0f", count: 69)
        #expect(redactor.redact("x s3cretVALUE y") == "x [redacted] y")
        #expect(redactor.redact("key=\(key);ab") == "key=[redacted];ab")
        #expect(redactor.redact("deadbeef") == "deadbeef")
        // A secret that the mask itself contains must not be looked for in what was masked.
        #expect(Redactor(secrets: ["redacted"]).redact("a redacted b") == "a [redacted] b")
    }

    @Test("a secret shows itself nowhere")
    func secret() {
        let secret = Secret("tr0ub4dor")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(
            ![secret.description, secret.debugDescription, dumped, "\(secret)", String(reflecting: secret)]
                .contains { $0.contains("tr0ub4dor") }
        )
    }

    @Test("a request shows neither credentials nor query values")
    func request() throws {
        let request = TransportRequest(
            method: .get,
            url: try RequestURL("http://h/p?q=v4lue"),
            fields: [.authorization: "Bearer t0ken", HTTPField.Name(constant: "key"): "k3y", .accept: "a/b"]
        )
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", dumped] {
            #expect(!text.contains("t0ken") && !text.contains("k3y") && !text.contains("v4lue"))
            #expect(text.contains("a/b"))
        }
    }

    @Test(
        "knows fields that carry credentials",
        arguments: [
            ("Authorization", true), ("Cookie", true), ("key", true), ("X-ApiKey", true), ("X-Refresh-Token", true),
            ("X-Signature", true), ("Accept", false), ("ETag", false), ("timestamp", false),
        ]
    )
    func fields(name: String, isSensitive: Bool) throws {
        #expect(SensitiveFields.contains(try #require(HTTPField.Name(name))) == isSensitive)
    }
}
