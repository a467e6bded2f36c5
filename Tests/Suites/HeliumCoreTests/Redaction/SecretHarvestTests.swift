import Foundation
import HTTPTypes
import HeliumCore
import Testing

@Suite("Secrets that messages name", .timeLimit(.minutes(5)))
struct SecretHarvestTests {
    private func secrets(_ read: (inout SecretHarvest) -> Void) -> Set<String> {
        var harvest = SecretHarvest(SecretScrubber())
        read(&harvest)
        return Set(harvest.secrets.map(\.string))
    }

    @Test(
        "the secrets of a body are found in any format",
        arguments: [
            (#"{"access_token":"S3CRET-1"}"#, "S3CRET-1"), (#"{"a":[{"clientSecret" : "S3\/CRET"}]}"#, "S3/CRET"),
            (#"{"x":"{\"password\":\"S3CRET-2\"}"}"#, "S3CRET-2"), ("a=1&password=S3%2BCRET&b=2", "S3+CRET"),
            ("https://h/p?x=1&key=S3CRET-4#access_token=T0KEN-99", "T0KEN-99"),
            (#"{"next":"https://h/?api_key=S3CRET-5&page=2"}"#, "S3CRET-5"),
            (#"{"to":"https://h/cb?to=https%3A%2F%2Fx%3Ftoken%3DS3CRET-14"}"#, "S3CRET-14"),
            ("<key><api_key>S3CRET&amp;6</api_key></key>", "S3CRET&6"),
            ("--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nS3CRET 7\r\n--b--", "S3CRET 7"),
            (#"<input type="hidden" name="csrf_token" value="S3CRET-8">"#, "S3CRET-8"),
            ("see ftp://user:S3CRET-9@host/x", "S3CRET-9"), (#"{"tokens":{"a":"S3CRETTOKEN10"}}"#, "S3CRETTOKEN10"),
            (#"{"key":{"key":"abcdefABCDEF0123456789"}}"#, "abcdefABCDEF0123456789"),
            (#"OAuth oauth_token="S3CRET-11", realm="x""#, "S3CRET-11"),
            (#"{"token":12,"password_hash":"S3CRET-12","salt":"S3CRET-13"}"#, "S3CRET-13"),
            (#"{"access_token":"S3CRET-15"#, "S3CRET-15"),
            (#"<credentials user="ann" password="S3CRET-16">see below</credentials>"#, "S3CRET-16"),
            ("<token of the call ?access_token=S3CRET-17", "S3CRET-17"),
            ("<token <key><api_key>S3CRET-18", "S3CRET-18"),
            (#"{"token":{"of":{"user":{"password":"S3CRET-19"}}}}"#, "S3CRET-19"),
            (#"{"tokens":[{"value":"S3CRET-20"}]}"#, "S3CRET-20"),
        ]
    )
    func bodies(text: String, secret: String) {
        #expect(secrets { $0.read(body: Data(text.utf8)) }.contains(secret))
    }

    @Test(
        "words, and text that only looks like a secret's name, are not secrets",
        arguments: [
            #"{"token_type":"bearer","token_endpoint":"https://h/token-here","grant":"password"}"#, "token", "token=",
            "=", "<", "<token", "://", "name=\"", "\"", "{\"token\"", "{\"token\":", "{\"token\":{",
            "name=\"password\"", #"{"a\"#,
            // App.net's sign-in returns the user in the token. All other responses have the same texts.
            #"{"token":{"user":{"username":"gardener1985","created_at":"2012-08-14T00:00:00Z","id":"12345678"}}}"#,
            #"{"token":{"expires":"2013-02-01T09:00:00Z","invite_link":"https://h/u/12345678"}}"#,
        ]
    )
    func words(text: String) {
        #expect(secrets { $0.read(body: Data(text.utf8)) }.isEmpty)
    }

    @Test("a key in a path is a secret, and a word is not")
    func paths() {
        #expect(secrets { $0.read(target: "/v2/keys/abcDEF1234567?x=1") } == ["abcDEF1234567"])
        #expect(secrets { $0.read(target: "/keys/a1b2c3.json") } == ["a1b2c3.json", "a1b2c3"])
        #expect(secrets { $0.read(target: "/keys/a1b2c3;v=1") } == ["a1b2c3;v=1", "a1b2c3"])
        #expect(secrets { $0.read(target: "/oauth/token/refresh") }.isEmpty)
        let location = HTTPField(name: .location, value: "https://h/v2/keys/abcDEF1234567")
        #expect(secrets { $0.read(location) } == ["abcDEF1234567"])
    }

    @Test("keys in paths are masked in URLs for display, and words and ids are not")
    func shownPaths() throws {
        let targets = [
            ("/v2/keys/abcDEF1234567?x=1", "/v2/keys/***?x=***"),
            ("/v2/keys.json/abcDEF1234567.json", "/v2/keys.json/***"),
            ("/sessions/abc123def", "/sessions/***"), ("/API_KEYS/a1b2c3/x", "/API_KEYS/***/x"),
            ("/token/\(String(repeating: "x", count: 20))", "/token/***"), ("/keys//a1b2c3", "/keys//***"),
            ("/oauth/token/refresh", "/oauth/token/refresh"), ("/keys", "/keys"), ("/keys/12345", "/keys/12345"),
            ("/keys/a1b2c3,d4e5f6", "/keys/***"), ("/keys/a1b2c3;v=d4", "/keys/***"),
            ("/feeds/abcDEF1234567", "/feeds/abcDEF1234567"), ("/a?keys/abcDEF1234567=1", "/a?keys/abcDEF1234567=***"),
        ]
        for (target, shown) in targets {
            #expect(try RequestURL("https://h\(target)").redacted == "https://h\(shown)")
        }
        let link = HTTPField(
            name: HTTPField.Name(constant: "Link"),
            value: "<https://h/keys/abcDEF1234567>; rel=\"next\""
        )
        #expect(ShownField.value(of: link, Redactor(secrets: [])) == "<https://h/keys/***>; rel=\"next\"")
        let list = HTTPField(
            name: link.name,
            value: "<https://h/a?page=2>; rel=next, <https://h/keys/abcDEF1234567>; rel=last"
        )
        let shown = "<https://h/a?page=***>; rel=next, <https://h/keys/***>; rel=last"
        #expect(ShownField.value(of: list, Redactor(secrets: [])) == shown)
        #expect(secrets { $0.read(list) }.contains("abcDEF1234567"))
        let anchored = "<https://h/a>; anchor=\"#top\"; title=\"Who?\", <https://h/keys/abcDEF1234567>; rel=last"
        #expect(secrets { $0.read(HTTPField(name: link.name, value: anchored)) }.contains("abcDEF1234567"))
        #expect(SecretPath.masking(anchored) == anchored.replacing("abcDEF1234567", with: "***"))
        let location = HTTPField(name: .location, value: "/keys/abcDEF1234567?a=b")
        #expect(ShownField.value(of: location, Redactor(secrets: [])) == "/keys/***?a=***")
    }

    @Test("a secret that is a word is not masked within a longer word, if that is asked for")
    func words() {
        let scrubber = SecretScrubber(secrets: ["server", "1234"], keepsLongerWords: true)
        let texts = [
            ("the servers, observers and server2", "the servers, observers and server2"),
            ("password=server&x", "password=[redacted]&x"), ("\u{201C}Server\u{201D}", "\u{201C}[redacted]\u{201D}"),
            ("server_name my-server", "[redacted]_name my-[redacted]"), ("server", "[redacted]"),
            // The letters before it are parts of escapes.
            (#"{"a":"x\nserver"}"#, #"{"a":"x\n[redacted]"}"#), ("a%3Dserver%26b", "a%3D[redacted]%26b"),
            // In other forms, it is no word.
            (Data("abcserver".utf8).base64EncodedString(), "YWJj[redacted]"), ("736572766572", "[redacted]"),
            ("port 12345, pin 1234", "port 12345, pin [redacted]"),
        ]
        for (text, shown) in texts { #expect(scrubber.text(text) == shown) }
        #expect(SecretScrubber(secrets: ["server"]).text("servers") == "[redacted]s")
        // A word that is kept may contain the beginning of another secret.
        let others = SecretScrubber(secrets: ["abcd", "bcdefgh12345"], keepsLongerWords: true)
        #expect(others.text("xabcdefgh12345") == "xa[redacted]")
        // A token has no word around it that matters.
        #expect(SecretScrubber(secrets: ["s3rver"], keepsLongerWords: true).text("s3rvers") == "[redacted]s")
    }

    @Test("the password of basic credentials is a secret")
    func basic() {
        let value = "Basic " + Data("u:S3CRET:x".utf8).base64EncodedString()
        let field = HTTPField(name: .authorization, value: value)
        #expect(secrets { $0.read(field) }.contains("S3CRET:x"))
    }

    @Test("thousands of secrets with the same beginning are masked")
    func many() {
        let secrets = (0..<2000).map { "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.tok\($0)" }
        let text = SecretScrubber(secrets: secrets).text(secrets.joined(separator: " "))
        #expect(!text.contains("tok") && text.hasPrefix("[redacted] [redacted]"))
    }

    @Test("a secret is masked within what was encoded in Base64, and where a body was cut in it")
    func parts() {
        let scrubber = SecretScrubber(secrets: ["s3cret-value-1"])
        for before in ["", "a", "ab"] {
            for after in ["", "z", "zz"] {
                let encoded = Data("\(before)s3cret-value-1\(after)".utf8).base64EncodedString()
                #expect(scrubber.text(encoded).contains("[redacted]"), "\(encoded)")
            }
        }
        let cut = scrubber.body(Data("abc s3cret-v".utf8), contentType: nil, masksLongHex: false, isCut: true)
        #expect(String(decoding: cut, as: UTF8.self) == "abc [redacted]")
        #expect(scrubber.text("abc s3cret-v") == "abc s3cret-v")
    }
}
