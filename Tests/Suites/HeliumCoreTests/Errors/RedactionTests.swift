import HTTPTypes
import HeliumCore
import Testing

@Suite("Redaction", .timeLimit(.minutes(5)))
struct RedactionTests {
    @Test("known secrets in any letter case, and long hexadecimal runs, are masked")
    func redactor() {
        let redactor = Redactor(secrets: ["S3cretValue", "", "ab"])
        let key = String(repeating: "0f", count: 69)
        #expect(redactor.redact("x s3cretVALUE y") == "x [redacted] y")
        #expect(redactor.redact("key=\(key);ab") == "key=[redacted];ab")
        #expect(redactor.redact("deadbeef") == "deadbeef")
        for (digits, isMasked) in [(63, false), (64, true)] {
            let number = String(repeating: "7", count: digits)
            #expect(redactor.redact(number) == (isMasked ? "[redacted]" : number))
        }
        // A secret that the mask itself contains must not be looked for in what was masked.
        #expect(Redactor(secrets: ["redacted"]).redact("a redacted b") == "a [redacted] b")
    }

    @Test("masking reads any text once", arguments: ["e\u{301}\u{316}", "z", "s3cretvalu", "f"])
    func cost(unit: String) {
        let redactor = Redactor(secrets: ["s3cretvalue", "another-secret"])
        // The cost case "redaction" counts the work. Here, time that grows with the square ends too, but beyond the limit.
        let text = String(repeating: unit, count: (512 << 10) / unit.utf8.count)
        let masked = redactor.redact(text + " s3cretvalue")
        #expect(masked.utf8.suffix(11).elementsEqual(" [redacted]".utf8))
        #expect(unit == "f" || masked.utf8.count == text.utf8.count + 11)
    }

    @Test("values of queries in header fields are masked")
    func queries() throws {
        let head = ResponseHead(
            status: 302,
            fields: [
                .location: "https://h/p?token=v4lue&q",
                HTTPField.Name(constant: "link"): "<https://h/p?page=v4lue>; rel=next",
            ]
        )
        #expect(
            head.description
                == "HTTP/1.1 302 [Location: https://h/p?token=***&***, link: <https://h/p?page=***>; rel=next]"
        )
        let request = TransportRequest(
            method: .get,
            url: try RequestURL("https://h/"),
            fields: [.referer: "https://h/p?token=v4lue", HTTPField.Name(constant: "x-goog-api-key"): "v4lue"]
        )
        #expect(!"\(request)".contains("v4lue"))
    }

    @Test(
        "query and fragment of a URL are masked",
        arguments: [
            ("https://h/p?token=aaa,v4lue", "https://h/p?token=***"), ("https://h/p?v4lue", "https://h/p?***"),
            ("https://h/p?token=a b\"v4lue", "https://h/p?token=***"),
            ("https://h/p?a=v4lue&b&", "https://h/p?a=***&***&"),
            ("https://h/p#access_token=v4lue", "https://h/p#***"),
            ("https://h/p?a#v4lue?b=v4lue", "https://h/p?***#***"),
        ]
    )
    func oneURL(value: String, shown: String) {
        let fields: HTTPFields = [.location: value]
        #expect(ResponseHead(status: 302, fields: fields).description == "HTTP/1.1 302 [Location: \(shown)]")
    }

    @Test("each URL of a list is masked to its end")
    func links() {
        let link = HTTPField.Name(constant: "link")
        let value = "<https://h/p?a=1,v4lue>; rel=next, <https://h/q?v4lue#v4lue>; rel=\"last\""
        let shown = "<https://h/p?a=***>; rel=next, <https://h/q?***#***>; rel=\"last\""
        #expect(ResponseHead(status: 200, fields: [link: value]).description == "HTTP/1.1 200 [link: \(shown)]")
    }

    @Test("a Secret is not shown in descriptions and reflection")
    func secret() {
        let secret = Secret("tr0ub4dor")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(
            ![secret.description, secret.debugDescription, dumped, "\(secret)", String(reflecting: secret)]
                .contains { $0.contains("tr0ub4dor") }
        )
    }

    @Test("the description of a request shows neither credentials nor query values")
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
        "header fields with credentials are known",
        arguments: [
            ("Authorization", true), ("Cookie", true), ("key", true), ("X-ApiKey", true), ("X-Refresh-Token", true),
            ("X-Signature", true), ("X-Goog-Api-Key", true), ("Ocp-Apim-Subscription-Key", true), ("X-MyApiKey", true),
            ("Idempotency-Key", false), ("Keep-Alive", false), ("Accept", false), ("ETag", false), ("timestamp", false),
        ]
    )
    func fields(name: String, isSensitive: Bool) throws {
        #expect(SensitiveFields.contains(try #require(HTTPField.Name(name))) == isSensitive)
    }
}
