import HTTPTypes
import TestSupport
import Testing

@testable import HeliumCore

@Suite("Delays that a server asks for")
struct ServerDelayTests {
    /// 2015-10-21 07:28:00 UTC.
    private static let now = Duration.seconds(1_445_412_480)

    @Test(
        "Retry-After is parsed as seconds and as a date",
        arguments: [
            ("0", 0), ("120", 120), ("1.5", 2), ("2.0", 2), ("99999999999999999999", 86_400), ("-1", nil), ("", nil),
            ("1e3", nil), ("soon", nil), ("Wed, 21 Oct 2015 07:29:00 GMT", 60), ("Wed, 21 Oct 2015 07:00:00 GMT", 0),
            ("Wednesday, 21-Oct-15 07:28:30 GMT", 30), ("Wed Oct 21 07:28:05 2015", 5),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Wed, 32 Oct 2015 07:29:00 GMT", nil),
        ] as [(String, Int?)]
    )
    func retryAfter(text: String, seconds: Int?) {
        let head = ResponseHead(status: 503, fields: [.retryAfter: text])
        #expect(ServerDelay.read(from: head, now: Self.now) == seconds.map { .seconds($0) })
    }

    @Test("a date in Retry-After is relative to the server's clock")
    func serverClock() {
        let head = ResponseHead(
            status: 503,
            fields: [.retryAfter: "Wed, 21 Oct 2015 07:38:00 GMT", .date: "Wed, 21 Oct 2015 07:37:50 GMT"]
        )
        #expect(ServerDelay.read(from: head, now: Self.now) == .seconds(10))
    }

    @Test("the reset of a rate limit counts for a 429 only, in both spellings, and after Retry-After")
    func rateLimitReset() throws {
        let name = try #require(HTTPField.Name("X-Rate-Limit-Reset"))
        let plain = try #require(HTTPField.Name("x-ratelimit-reset"))
        #expect(ServerDelay.read(from: ResponseHead(status: 429, fields: [name: "17"]), now: Self.now) == .seconds(17))
        #expect(ServerDelay.read(from: ResponseHead(status: 429, fields: [plain: "3"]), now: Self.now) == .seconds(3))
        #expect(ServerDelay.read(from: ResponseHead(status: 503, fields: [name: "17"]), now: Self.now) == nil)
        #expect(ServerDelay.read(from: ResponseHead(status: 503, fields: [plain: "3"]), now: Self.now) == nil)
        let spellings = ResponseHead(status: 429, fields: [plain: "3", name: "17"])
        #expect(ServerDelay.read(from: spellings, now: Self.now) == .seconds(17))
        let both = ResponseHead(status: 429, fields: [name: "17", .retryAfter: "4"])
        #expect(ServerDelay.read(from: both, now: Self.now) == .seconds(4))
    }

    @Test(
        "dates in all three forms of RFC 9110 are parsed",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_199), ("Sat, 29 Feb 2025 00:00:00 GMT", nil),
            ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
            ("Sun, 06 Növ 1994 08:49:37 GMT", nil), ("06 Nov 1994", nil), (String(repeating: "9", count: 100), nil),
        ] as [(String, Int64?)]
    )
    func dates(text: String, seconds: Int64?) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test("no Retry-After field traps, or results in a delay that is negative or longer than a day", .tags(.random))
    func anyInput() {
        var generator = ProofLength.random(seed: 3)
        let alphabet = Array("0123456789 :,-GMTSunNovSat.")
        for _ in ProofLength.rounds(2000) {
            let text = String(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "0"
                }
            )
            _ = HTTPDate.parse(text)
            let head = ResponseHead(status: 429, fields: [.retryAfter: text])
            guard let delay = ServerDelay.read(from: head, now: Self.now) else { continue }
            #expect(delay >= .zero && delay <= .seconds(86_400))
        }
    }
}
