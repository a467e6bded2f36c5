import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("Failures of App.net's calls", .timeLimit(.minutes(5)))
struct FailureTests {
    @Test(
        "each status and slug of App.net has its kind of error, with the service's message",
        arguments: [
            (400, #""error_message":"Bad Request: no","error_id":"0123abcd""#, AppNetError.Kind.badRequest),
            (401, #""error_message":"no""#, .unauthorized),
            (401, #""error_slug":"invalid-token""#, .invalidToken),
            (401, #""error_slug":"not-authorized""#, .tokenRevoked),
            (401, #""error_slug":"token-expired""#, .tokenExpired),
            (401, #""error_slug":"made-up""#, .unauthorized),
            (400, #""error_slug":"code-used""#, .signInRefused),
            (400, #""error_slug":"redirect-uri-required""#, .signInRefused),
            (403, #""error_message":"no""#, .forbidden), (404, #""error_message":"no""#, .notFound),
            (405, #""error_message":"no""#, .methodNotAllowed), (429, #""error_message":"no""#, .rateLimited),
            (500, #""error_message":"no""#, .serverFailed), (507, #""error_message":"no""#, .quotaExceeded),
            (418, #""error_message":"no""#, .failed),
        ],
        AppNetDialect.allCases
    )
    func kinds(refused: (status: Int, meta: String, kind: AppNetError.Kind), dialect: AppNetDialect) async throws {
        let transport = MockTransport(answers: [refusal(refused.status, refused.meta)])
        let client = try makeClient(transport, dialect: dialect)
        let error = try #require(await AppNetError.thrown { _ = try await client.users.get(.me) })
        #expect(error.kind == refused.kind && error.status == refused.status && error.hasReachedServer)
        #expect(error.delivery == .answered)
        #expect(error.description.contains("GET") && error.description.contains("status \(refused.status)"))
        #expect(error.needsSignIn == [.invalidToken, .tokenRevoked, .tokenExpired].contains(error.kind))
        if refused.meta.contains("error_id") {
            #expect(error.serverMessage == "Bad Request: no" && error.errorID == "0123abcd")
        }
    }

    @Test("the texts of an error response are cut, and escaped in descriptions", arguments: [400, 200])
    func hostileTexts(status: Int) async throws {
        let text = #"a\u001b[31m\nFAKE"# + String(repeating: "x", count: 10_000)
        let body = #"{"meta":{"code":400,"error_message":"\#(text)","error_slug":"\#(text)","error_id":"\#(text)"}}"#
        let transport = MockTransport(answers: [.json(body, status: status)])
        let error = try #require(await AppNetError.thrown { _ = try await makeClient(transport).users.get(1) })
        #expect(error.serverMessage?.hasPrefix("a\u{1b}[31m\nFAKE") == true)
        for text in [error.serverMessage, error.errorID] { #expect(try #require(text).utf8.count <= 5000) }
        #expect(error.description.utf8.count < 10_000)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
    }

    @Test(
        "an error response without an envelope is an error with its status",
        arguments: ["", "<html>", "[]", #"{"meta":7}"#, #"{"meta":{"error_message":7,"retry_in":{}}}"#, "{\"meta\":"]
    )
    func oddBodies(body: String) async throws {
        let transport = MockTransport(answers: [.data(Data(body.utf8), status: 404)])
        let error = try #require(await AppNetError.thrown { _ = try await makeClient(transport).users.get(1) })
        #expect(error.kind == .notFound && error.serverMessage == nil)
    }

    @Test("the code in the body of an error response counts before its status", arguments: AppNetDialect.allCases)
    func codes(dialect: AppNetDialect) async throws {
        let meta = #"{"meta":{"code":404,"error_message":"nope","error_id":"0123"}}"#
        let transport = MockTransport(answers: [.json(meta)])
        let client = try makeClient(transport, dialect: dialect)
        for call in [
            { _ = try await client.users.get(.me) }, { _ = try await client.channels.subscribed().page() },
            { try await client.files.delete(4) },
        ] as [@Sendable () async throws -> Void] {
            let error = try #require(await AppNetError.thrown { try await call() })
            #expect(error.kind == .notFound && error.serverMessage == "nope" && error.errorID == "0123", "\(error)")
            #expect(error.status == 200 && error.delivery == .answered)
        }
    }

    @Test("a list without data is an error")
    func noData() async throws {
        let transport = MockTransport(answers: [.json(#"{"meta":{"code":200}}"#)])
        let client = try makeClient(transport)
        let error = try #require(await AppNetError.thrown { _ = try await client.channels.subscribed().page() })
        #expect(error.kind == .undecodable && "\(error)".contains("has no data"), "\(error)")
    }

    @Test("a response that cannot be decoded is an error with the path and the reason")
    func wording() async throws {
        let transport = MockTransport(answers: [.json(#"{"meta":{"code":200},"data":{"id":"1"}}"#)])
        let client = try makeClient(transport)
        let error = try #require(await AppNetError.thrown { _ = try await client.channels.subscribed().page() })
        let text = "\(error)"
        #expect(
            error.kind == .undecodable && text.contains("can't be decoded at data: expected a list, found an object")
        )
        #expect(!text.contains("Envelope") && !text.contains("Array"), "\(text)")
    }

    @Test("a token of the wrong kind is not reported as a missing scope")
    func tokenKinds() async throws {
        let fields: HTTPFields = [.named("X-OAuth-Scopes"): ""]
        let meta = #""error_message":"This call requires a user token.""#
        let client = try makeClient(MockTransport(answers: [refusal(403, meta, fields: fields)]))
        let error = try #require(await AppNetError.thrown { _ = try await client.channels.subscribed().page() })
        #expect(error.kind == .forbidden && error.missingScopes.isEmpty)
        #expect(error.serverMessage == "This call requires a user token.")
    }

    @Test("a missing scope is named if the response has the granted scopes")
    func scopes() async throws {
        let fields: HTTPFields = [.named("X-OAuth-Scopes"): "basic,files"]
        let transport = MockTransport(answers: [refusal(403, fields: fields)])
        let client = try makeClient(transport)
        let draft = Message(text: "x")
        let error = try #require(await AppNetError.thrown { _ = try await client.messages.create(draft, in: 1) })
        #expect(error.kind == .missingScope && error.missingScopes == [.publicMessages, .messages])
        #expect(client.grantedScopes == [.basic, .files])
        // The scope is there: something else is missing. A part of a scope counts as one.
        for granted in ["basic,messages", "messages:io.pnut.core.pm"] {
            let answer = refusal(403, fields: [.named("X-OAuth-Scopes"): granted])
            let client = try makeClient(MockTransport(answers: [answer]))
            let error = try #require(await AppNetError.thrown { _ = try await client.messages.create(draft, in: 1) })
            #expect(error.kind == .forbidden && error.missingScopes.isEmpty)
        }
        let other = try #require(await AppNetError.thrown { _ = try await client.posts.get(1) })
        #expect(other.kind == .forbidden, "a call that needs none lacks none")
    }

    @Test("no token is in the description of an error, also if the service echoes it")
    func secrets() async throws {
        let meta = #""error_message":"secret-token-1234 and opaque-file-token","error_slug":"secret-token-1234""#
        let client = try makeClient(MockTransport(answers: [refusal(401, meta)]))
        let error = try #require(
            await AppNetError.thrown { _ = try await client.files.get(3, token: "opaque-file-token") }
        )
        var dumped = ""
        dump(error, to: &dumped)
        dump(client, to: &dumped)
        dump(client.settings, to: &dumped)
        dumped += error.underlying?.description ?? ""
        let text = "\(error) \(error.localizedDescription) \(client) \(client.settings) \(dumped)"
        #expect(!text.contains("secret-token") && !text.contains("opaque-file"))
        #expect(error.serverMessage == "[redacted] and [redacted]")

        let odd = try makeClient(MockTransport(answers: [answer(#"{"is_deleted":"secret-token-1234"}"#)]))
        let undecodable = try #require(await AppNetError.thrown { _ = try await odd.messages.get(1, in: 1) })
        #expect(undecodable.kind == .undecodable && !"\(undecodable)".contains("secret-token"))
    }

    @Test("a response of another type is an error with its path", arguments: AppNetDialect.allCases)
    func undecodable(dialect: AppNetDialect) async throws {
        for body in ["{\n]", #"{"meta":{"code":200}}"#, #"{"meta":{"code":200},"data":[]}"#, ""] {
            let transport = MockTransport(answers: [.data(Data(body.utf8))])
            let client = try makeClient(transport, dialect: dialect)
            let error = try #require(await AppNetError.thrown { _ = try await client.users.get(1) })
            #expect(error.kind == .undecodable, "\(body): \(error)")
        }
    }

    @Test("an invalid configuration of a client is an error with the reason")
    func configurations() throws {
        let transport = MockTransport()
        for token in ["", "a\nb"] {
            let error = try #require(throws: AppNetError.self) { try makeClient(transport, token: Secret(token)) }
            #expect(error.kind == .invalidConfiguration)
        }
        let error = try #require(throws: AppNetError.self) {
            try makeClient(transport, baseURL: URL(string: "ftp://adn.test/"))
        }
        #expect(error.kind == .invalidConfiguration)
    }

    @Test("a call that never left has not reached the service, and a lost one may have")
    func delivery() async throws {
        for (failure, hasReached) in [
            (TransportFailure(.connectionFailed, delivery: .notSent, message: "no"), false),
            (TransportFailure(.connectionLost, delivery: .maybeSent, message: "no"), true),
        ] {
            let client = try makeClient(MockTransport(failing: failure))
            let error = try #require(await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) })
            #expect(error.kind == .failed && error.hasReachedServer == hasReached)
        }
    }

    @Test("an unknown host is an error of its own kind")
    func wrongHost() async throws {
        let failure = TransportFailure(.hostNotFound, delivery: .notSent, message: "no address")
        let client = try makeClient(MockTransport(failing: failure))
        let error = try #require(await AppNetError.thrown { _ = try await client.users.get(1) })
        #expect(error.kind == .hostNotFound)
    }

    @Test("a cancelled call throws CancellationError")
    func cancelled() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ in .streaming(["x"], gate: gate) }
        let client = try makeClient(transport)
        let task = Task { try await client.users.get(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("limited(to:) sets the time limit of a client's calls")
    func limited() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        _ = try await makeClient(transport).limited(to: .seconds(600)).users.get(1)
        let limit = try #require(transport.requests.first?.timeouts.total)
        #expect(limit <= .seconds(600) && limit > .seconds(500))
    }
}
