import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Recording of requests", .timeLimit(.minutes(5)))
struct RecordingTests {
    private let base = "https://api.example.com"

    private func body(_ stream: TransportResponse) async throws -> String { try await stream.text }

    @Test("a recording has requests with responses in order, dated by the clock")
    func keeps() async throws {
        let mock = MockTransport()
        mock.on(.get, "/todos") { _ in .json("[1]", fields: [.eTag: "\"v1\""]) }
        mock.on(.post, "/todos") { _ in .data(Data([0xFF, 0x00]), status: 201) }
        let clock = TestClock()
        let recording = RecordingTransport(wrapping: mock, clock: clock)
        _ = try await recording.execute(TransportRequest(to: base + "/todos?limit=2&q=a%20b"))
        clock.advance(by: .milliseconds(1500))
        var request = try TransportRequest(.post, to: base + "/todos", body: #"{"name":"Tea"}"#)
        request.fields[.contentType] = "application/json"
        _ = try await recording.execute(request)

        let har = recording.har
        try har.validate()
        #expect(har.entries.map(\.startedDateTime) == ["2016-02-12T08:00:07.000Z", "2016-02-12T08:00:08.500Z"])
        #expect(har.entries[0].request.url == base + "/todos?limit=2&q=a%20b")
        #expect(har.entries[0].request.queryString?.map(\.value) == ["2", "a b"])
        #expect(har.entries[0].response.headers.contains(HAR.Field(name: "ETag", value: "\"v1\"")))
        #expect(har.entries[0].response.content.text == "[1]" && har.entries[0].response.status == 200)
        #expect(har.entries[1].request.postData?.text == #"{"name":"Tea"}"#)
        #expect(har.entries[1].response.content.data == Data([0xFF, 0x00]) && har.entries[1].response.status == 201)
    }

    @Test("a streamed response is recorded as it is read")
    func streams() async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .streaming(["one", "two"]) })
        let request = try TransportRequest(to: base).with { $0.responseBody = .stream }
        let response = try await recording.execute(request)
        #expect(recording.har.entries[0].response.content.isTruncated == true)
        #expect(try await response.text == "onetwo")
        #expect(recording.har.entries[0].response.content == HAR.Content(Data("onetwo".utf8)))
    }

    @Test("a streamed request body is recorded as it is sent, from the last attempt")
    func uploads() async throws {
        let mock = MockTransport { request throws(TransportFailure) in
            do {
                for _ in 0..<2 {
                    guard let source = try await request.upload?.open() else { continue }
                    while try await source.next() != nil {}
                }
            } catch {
                throw TransportFailure(.requestBodyFailed, delivery: .maybeSent, message: "no body")
            }
            return .empty()
        }
        let recording = RecordingTransport(wrapping: mock)
        var request = try TransportRequest(.post, to: base)
        request.upload = UploadBody(length: 6, isReplayable: true) { Chunks(["one", "two"]) }
        _ = try await recording.execute(request)
        #expect(recording.har.entries[0].request.postData?.text == "onetwo")
    }

    @Test("a failure before a response, or in its body, is recorded")
    func failures() async throws {
        let lost = TransportFailure(.connectionLost, delivery: .answered, message: "cut")
        let mock = MockTransport()
        mock.on(.get, "/head") { _ throws(TransportFailure) in
            throw TransportFailure(.timedOut, delivery: .maybeSent, message: "late")
        }
        mock.on(.get, "/body") { _ in .streaming(["half"], failure: lost) }
        mock.on(.get, "/collected") { _ in .streaming(["half"], status: 401, failure: lost) }
        let recording = RecordingTransport(wrapping: mock)
        _ = try await recording.failure(TransportRequest(to: base + "/head"))
        _ = try await recording.failure(TransportRequest(to: base + "/body").with { $0.responseBody = .stream })
        _ = try await recording.failure(TransportRequest(to: base + "/collected"))
        let entries = recording.har.entries
        #expect(entries[0].response.status == 0 && entries[0].failure?.kind == "timedOut")
        #expect(entries[1].response.status == 200 && entries[1].response.content.text == "half")
        #expect(entries[2].response.status == 401 && entries[2].response.content.text == "half")
        #expect(entries[2].failure?.kind == "connectionLost")

        let replay = try ReplayTransport(recording.har)
        let early = try await replay.failure(TransportRequest(to: base + "/head"))
        #expect(early.kind == .timedOut && early.delivery == .maybeSent)
        let late = try await replay.failure(TransportRequest(to: base + "/body"))
        #expect(late.kind == .connectionLost && late.delivery == .answered)
        let refused = try await replay.failure(TransportRequest(to: base + "/collected"))
        #expect(refused.kind == .connectionLost && refused.response?.head.status == 401)
    }

    @Test("bodies and entries of a recording are limited")
    func ceilings() async throws {
        var limits = RecordingTransport.Limits()
        limits.bodyBytes = 4
        limits.entries = 1
        let recording = RecordingTransport(wrapping: MockTransport { _ in .json("123456") }, limits: limits)
        for _ in 0..<3 { _ = try await recording.execute(TransportRequest(.post, to: base, body: "abcdef")) }
        let har = recording.har
        #expect(har.entries.count == 1 && recording.droppedEntryCount == 2)
        #expect(har.entries[0].request.postData?.text == "abcd" && har.entries[0].request.postData?.isTruncated == true)
        #expect(har.entries[0].response.content.text == "1234" && har.entries[0].response.content.size == 6)
        let failure = try await ReplayTransport(har).failure(TransportRequest(.post, to: base, body: "abcdef"))
        #expect(failure.message.contains("the first 4 bytes"))
    }

    @Test("a recording is saved in one step, and read again")
    func saves() async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .json("[]") })
        _ = try await recording.execute(TransportRequest(to: base))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.har")
        for _ in 0..<2 { try recording.save(to: file) }
        #expect(try HAR(contentsOf: file) == recording.har)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.har"])
    }
}

/// An authorizer whose token comes with the first answer.
private final class LearningAuthorizer: Authorizer {
    private let token = Guarded<String?>(nil)

    func learn(_ new: String) { token.withLock { $0 = new } }

    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}

    var secrets: [String] { token.withLock { $0.map { [$0] } ?? [] } }
}

private final class Chunks: UploadSource {
    private let rest: Guarded<[String]>

    init(_ chunks: [String]) { rest = Guarded(chunks.reversed()) }

    func next() async throws -> Data? { rest.withLock { $0.popLast() }.map { Data($0.utf8) } }

    func cancel() {}
}

@Suite("Secrets in recordings", .timeLimit(.minutes(5)))
struct RecordingSecretsTests {
    private let base = "https://api.example.com"

    @Test("no credential is in a recording, wherever it was sent or received")
    func scrubs() async throws {
        let answer = TransportResponse.json(
            #"{"access_token":"t0ken-in-member","echo":"b3arer-token","cookie_echo":"c00kie-value","ok":"kept"}"#,
            fields: [
                .setCookie: "session=s3ssion-value; Path=/", .location: "/next?api_key=k3y-in-location&page=kept2",
                .wwwAuthenticate: "Basic realm=\"r3alm\"",
            ]
        )
        let authorizer = LearningAuthorizer()
        var scrubbing = RecordingTransport.Scrubbing()
        scrubbing.secrets = ["known-s3cret"]
        scrubbing.fields = ["X-Tenant"]
        scrubbing.parameters = ["person"]
        scrubbing.members = ["diagnosis"]
        let recording = RecordingTransport(
            wrapping: MockTransport { _ in answer },
            authorizer: authorizer,
            scrubbing: scrubbing
        )
        var request = try TransportRequest(
            .post,
            to: base + "/known-s3cret/x?person=p3rson&sig=s1gnature&page=kept3&note=known%2Ds3cret",
            body: #"{"password":"p4ssword","diagnosis":{"a":"d1agnosis"},"note":"later-l3arned","ok":"kept4"}"#
        )
        let basic = Data("user:b4sic-password".utf8).base64EncodedString()
        request.fields = [
            .authorization: "Bearer b3arer-token", .proxyAuthorization: "Basic \(basic)", .cookie: "a=c00kie-value",
            HTTPField.Name(constant: "X-Tenant"): "t3nant", .userAgent: "kept5 b4sic-password",
        ]
        _ = try await recording.execute(request)
        // What the answer brought is known afterwards only.
        authorizer.learn("later-l3arned")
        let text = String(decoding: try recording.har.encoded(), as: UTF8.self)
        for secret in [
            "t0ken-in-member", "b3arer-token", "c00kie-value", "s3ssion-value", "k3y-in-location", "r3alm",
            "known-s3cret",
            "p3rson", "s1gnature", "p4ssword", "d1agnosis", "later-l3arned", basic, "b4sic-password", "t3nant",
        ] {
            #expect(!text.localizedCaseInsensitiveContains(secret), "\(secret)")
        }
        for kept in ["\"kept\\\"", "kept2", "kept3", "kept4", "kept5"] { #expect(text.contains(kept), "\(kept)") }
        #expect(try HAR(Data(text.utf8)).entries.count == 1)

        // The same request, and one with other secrets, are answered by what was recorded.
        let replay = try ReplayTransport(recording.har, reusesLast: true)
        #expect(try await replay.execute(request).head.status == 200)
        let other = try TransportRequest(
            .post,
            to: base + "/another/x?person=x&sig=y&page=kept3&note=z",
            body: #"{"ok":"kept4","password":1,"diagnosis":null,"note":"n"}"#
        )
        #expect(try await replay.execute(other).head.status == 200)
    }

    @Test("a password or cookie that is a word is masked in its place, and not in hosts and other texts")
    func words() async throws {
        let body = #"{"text":"a default example"}"#
        let recording = RecordingTransport(wrapping: MockTransport { _ in .json(body) })
        var request = try TransportRequest(.post, to: base + "/a", body: "see password=example")
        request.fields = [.cookie: "theme=default"]
        _ = try await recording.execute(request)
        var other = try TransportRequest(.post, to: base + "/b", body: #"{"password":"hidden"}"#)
        other.fields = [.userAgent: "example"]
        _ = try await recording.execute(other)
        let entries = recording.har.entries
        #expect(entries.map(\.request.url) == [base + "/a", base + "/b"])
        #expect(entries[0].response.content.text == body)
        #expect(entries[0].request.postData?.text == "see [redacted]")
        #expect(!String(decoding: try recording.har.encoded(), as: UTF8.self).contains("theme"))
    }

    @Test("a token that is replaced is not in a recording")
    func rotated() async throws {
        let authorizer = LearningAuthorizer()
        let recording = RecordingTransport(
            wrapping: MockTransport { _ in .json(#"{"a":"first-t0ken"}"#) },
            authorizer: authorizer
        )
        authorizer.learn("first-t0ken")
        _ = try await recording.execute(TransportRequest(to: base))
        authorizer.learn("second-t0ken")
        _ = try await recording.execute(TransportRequest(to: base + "/second-t0ken"))
        let text = String(decoding: try recording.har.encoded(), as: UTF8.self)
        #expect(!text.contains("t0ken") && text.contains(base))
    }

    @Test("the description of a recording shows no contents")
    func reflection() async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .json("r3sponse") })
        var request = try TransportRequest(.post, to: base, body: "b0dy")
        request.fields[.authorization] = "Bearer b3arer"
        _ = try await recording.execute(request)
        var dumped = ""
        dump(recording.har, to: &dumped)
        #expect(!dumped.contains("b3arer"))
    }
}

@Suite("Replay of recordings", .timeLimit(.minutes(5)))
struct ReplayTests {
    private let base = "https://api.example.com"

    private func todos() throws -> HAR { try HAR(contentsOf: Fixture.url("todos.har")) }

    @Test("a replay responds from the file, also as a stream, and masked parts match anything")
    func answers() async throws {
        let replay = try ReplayTransport(todos())
        let list = try TransportRequest(to: base + "/todos?limit=2&token=mine").with { $0.responseBody = .stream }
        let response = try await replay.execute(list)
        guard case .stream = response.body else {
            Issue.record("not a stream")
            return
        }
        #expect(response.head.version == .http2 && response.head.fields.count == 1)
        #expect(try await response.text == #"[{"id":1,"name":"Tea"}]"#)
        let created = try await replay.execute(
            TransportRequest(.post, to: base + "/todos", body: #"{"password":"mine","name":"Milk"}"#)
        )
        #expect(created.head.status == 201 && created.head[.location] == "/todos/2")
        #expect(replay.unusedEntries == ["GET \(base)/slow"])
        #expect(try await replay.failure(TransportRequest(to: base + "/slow")).kind == .timedOut)
        #expect(replay.unusedEntries.isEmpty)
    }

    @Test(
        "a request without a match fails with the nearest entry and the difference",
        arguments: [
            (
                "GET", "/todos?limit=3&token=x", nil,
                "GET https://api.example.com/todos?limit=2&token=***, has another query"
            ),
            ("POST", "/todos", "{}", "2, POST https://api.example.com/todos, has another body"),
            ("DELETE", "/slow", nil, "3, GET https://api.example.com/slow, has another method"),
            ("GET", "/nothing", nil, "has another path"),
        ] as [(String, String, String?, String)]
    )
    func nearest(method: String, target: String, body: String?, reason: String) async throws {
        let replay = try ReplayTransport(todos())
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let failure = try await replay.failure(TransportRequest(method, to: base + target, body: body))
        #expect(failure.kind == .unmatchedRequest && failure.delivery == .notSent)
        #expect(failure.message.contains(reason), "\(failure.message)")
        #expect(replay.unmatchedRequests.count == 1)
    }

    @Test("each entry of a replay responds once in order, and the last one again on request")
    func once() async throws {
        var har = try todos()
        har.entries = [har.entries[0], har.entries[0]]
        har.entries[1].response.status = 202
        let request = try TransportRequest(to: base + "/todos?limit=2&token=x")
        let once = try ReplayTransport(har)
        #expect(try await once.execute(request).head.status == 200)
        #expect(try await once.execute(request).head.status == 202)
        #expect(try await once.failure(request).message.contains("is used"))
        let again = try ReplayTransport(har, reusesLast: true)
        var statuses: [Int] = []
        for _ in 0..<4 { statuses.append(try await again.execute(request).head.status) }
        #expect(statuses == [200, 202, 202, 202])
    }

    @Test("only the next entry of a strict replay may respond")
    func strict() async throws {
        let replay = try ReplayTransport(todos(), order: .strict)
        let first = try TransportRequest(to: base + "/todos?limit=2&token=x")
        let third = try TransportRequest(to: base + "/slow")
        #expect(try await replay.failure(third).message.contains("the next entry, 1"))
        #expect(try await replay.execute(first).head.status == 200)
        _ = try await replay.execute(
            TransportRequest(.post, to: base + "/todos", body: #"{"name":"Milk","password":""}"#)
        )
        #expect(try await replay.failure(third).kind == .timedOut)
        #expect(try await replay.failure(third).message.contains("all of its 3 entries are used"))
    }

    @Test("origin, query and body are matched by a replay only on request")
    func matching() async throws {
        var matching = ReplayTransport.Matching()
        matching.origin = false
        matching.query = false
        matching.body = false
        let replay = try ReplayTransport(todos(), matching: matching)
        #expect(try await replay.execute(TransportRequest(to: "http://localhost:8080/todos")).head.status == 200)
        #expect(try await replay.execute(TransportRequest(.post, to: "http://localhost/todos")).head.status == 201)
    }

    @Test("an archive that cannot be replayed is refused before any request")
    func refuses() throws {
        var har = try todos()
        har.entries[0].request.url = "nowhere"
        let error = #expect(throws: HAR.Malformed.self) { try ReplayTransport(har) }
        #expect(error?.location == "log.entries[0].request.url")
    }

    @Test(
        "a mask matches only within its parameter, path segment or line",
        arguments: [
            ("/a?token=x&page=1", "/a?token=y&page=3"), ("/a?page=1&token=x", "/a?page=1&token=y&page=3"),
            ("/keys/abcdef123456", "/keys/abcdef123457/feeds"),
        ]
    )
    func masksEnd(recorded: String, other: String) async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .empty() })
        _ = try await recording.execute(TransportRequest(to: base + recorded))
        let replay = try ReplayTransport(recording.har)
        #expect(try await replay.failure(TransportRequest(to: base + other)).kind == .unmatchedRequest)
        #expect(try await replay.execute(TransportRequest(to: base + recorded)).head.status == 204)
    }

    @Test(
        "text of a request that looks like a mask matches only itself",
        arguments: [
            ("/a?q=***", nil, "/a?q=other", nil), ("/***/a", nil, "/b/a", nil),
            ("/a", "***", "/a", "other"), ("/a", #"{"q":"[redacted]"}"#, "/a", #"{"q":"other"}"#),
            ("/a", #"{"q":"[redacted] ***","token":"x"}"#, "/a", #"{"q":"other ***","token":"x"}"#),
        ] as [(String, String?, String, String?)]
    )
    func literals(target: String, body: String?, otherTarget: String, otherBody: String?) async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .empty() })
        let request = try TransportRequest(.post, to: base + target, body: body)
        _ = try await recording.execute(request)
        let replay = try ReplayTransport(HAR(recording.har.encoded()))
        let other = try TransportRequest(.post, to: base + otherTarget, body: otherBody)
        #expect(try await replay.failure(other).kind == .unmatchedRequest)
        #expect(try await replay.execute(request).head.status == 204)
    }

    private static let key = "-----BEGIN KEY-----\nAbC1+/=\nDeF2\n-----END KEY-----"

    @Test(
        "a secret of several lines in a body that is not JSON matches itself, and no other part of the body",
        arguments: [
            ("key:\n\(key)\nend", "key:\n\(key)\nother"),
            (
                "--b\r\nContent-Type: text/plain\r\n\r\n\(key)\r\n--b\r\n\r\nx\r\n--b--\r\n",
                "--b\r\nContent-Type: text/plain\r\n\r\n\(key)\r\n--b\r\n\r\nmore\r\n--b\r\n\r\nx\r\n--b--\r\n"
            ),
        ]
    )
    func severalLines(body: String, other: String) async throws {
        var scrubbing = RecordingTransport.Scrubbing()
        scrubbing.secrets = [Secret(Self.key)]
        let recording = RecordingTransport(wrapping: MockTransport { _ in .empty() }, scrubbing: scrubbing)
        let request = try TransportRequest(.post, to: base + "/a", body: body)
        _ = try await recording.execute(request)
        #expect(recording.har.entries[0].request.postData?.text?.contains("KEY") == false)
        let replay = try ReplayTransport(HAR(recording.har.encoded()))
        let unmatched = try TransportRequest(.post, to: base + "/a", body: other)
        #expect(try await replay.failure(unmatched).kind == .unmatchedRequest)
        #expect(try await replay.execute(request).head.status == 204)
    }

    @Test("masks of a replay match nothing else on request")
    func withoutMasks() async throws {
        var matching = ReplayTransport.Matching()
        matching.masks = false
        let replay = try ReplayTransport(todos(), matching: matching)
        let other = try TransportRequest(to: base + "/todos?limit=2&token=x")
        #expect(try await replay.failure(other).kind == .unmatchedRequest)
        #expect(try await replay.execute(TransportRequest(to: base + "/todos?limit=2&token=***")).head.status == 200)
    }
}
