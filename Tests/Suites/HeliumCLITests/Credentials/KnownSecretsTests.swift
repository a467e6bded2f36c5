import HeliumKit
import Testing

@testable import HeliumCLI

@Suite("Secrets that a command has read")
struct KnownSecretsTests {
    @Test("a secret is masked wherever it stands")
    func tokens() {
        let secrets = KnownSecrets()
        #expect(secrets.masking("a t0ken-1") == "a t0ken-1")
        secrets.add(Secret("t0ken-1"))
        #expect(secrets.masking("xt0ken-1x T0KEN-1") == "x[redacted]x [redacted]")
    }

    @Test("a secret that is a word or short is masked where it stands alone, and not within a longer word")
    func words() {
        let secrets = KnownSecrets()
        secrets.add(["server", "1234", "abc"])
        let texts = [
            ("the servers have observers", "the servers have observers"),
            ("password=server&a=b", "password=[redacted]&a=b"),
            ("\"Server\"", "\"[redacted]\""), ("the server failed", "the [redacted] failed"),
            (#"{"text":"wrong:\nserver"}"#, #"{"text":"wrong:\n[redacted]"}"#), ("pin%3D1234", "pin%3D[redacted]"),
            ("port 12345", "port 12345"), ("abc", "abc"),
        ]
        for (text, shown) in texts { #expect(secrets.masking(text) == shown) }
    }
}
