import Foundation
import HTTPTypes
import HeliumTesting
import Logging
import Testing

@testable import HeliumCore

@Suite("Log messages of calls")
struct CallLogTests {
    @Test("a successful call is logged at debug, with a constant message and metadata")
    func success() throws {
        let (logger, lines) = RecordingLog.make(.debug)
        let call = try ObservedCall { $0.logger = logger }
        call.start()
        call.clock.advance(by: .microseconds(12_345))
        call.answer(200)
        call.observer.didEnd(status: 200, error: nil)
        #expect(lines.all.map(\.message) == ["call started", "attempt finished", "call finished"])
        #expect(lines.all.allSatisfy { $0.level == .debug })
        #expect(
            lines.all[2].metadata == [
                "helium.call": "1", "helium.method": "GET",
                "helium.url": "https://api.example.com/shows/42?token=***&page=***",
                "helium.template": "/shows/:id", "helium.status": "200", "helium.attempts": "1",
                "helium.duration_ms": "12.345",
            ]
        )
        #expect(lines.all[1].metadata["helium.delivery"] == "answered")
    }

    @Test("a failed call is logged once as a warning, with kind, delivery, phase and attempts")
    func failure() throws {
        let (logger, lines) = RecordingLog.make(.info)
        let call = try ObservedCall { $0.logger = logger }
        call.start()
        call.fail(.timedOut, .maybeSent)
        var error = call.error(.timedOut, .maybeSent)
        error[fact: \.phase] = .firstByte
        call.observer.didEnd(status: nil, error: error)
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1 && line.level == .warning && line.message == "call failed")
        #expect(line.metadata["helium.kind"] == "timedOut" && line.metadata["helium.delivery"] == "maybeSent")
        #expect(line.metadata["helium.phase"] == "firstByte" && line.metadata["helium.attempts"] == "1")
        #expect(line.metadata["helium.message"] == "it broke")
    }

    @Test("a retry is logged with its reason and delay")
    func retry() throws {
        let (logger, lines) = RecordingLog.make(.info)
        let call = try ObservedCall { $0.logger = logger }
        call.start()
        call.observer.willRetry(.credentialReplaced, pause: .milliseconds(1500))
        let line = try #require(lines.all.first)
        #expect(line.level == .info && line.message == "call will be retried")
        #expect(line.metadata["helium.reason"] == "credentialReplaced")
        #expect(line.metadata["helium.pause_ms"] == "1500.000" && line.metadata["helium.attempt"] == "1")
    }

    @Test("a cancelled call is not logged as a warning")
    func cancelled() throws {
        let (logger, lines) = RecordingLog.make(.debug)
        let call = try ObservedCall { $0.logger = logger }
        call.observer.didEnd(status: nil, error: call.error(.cancelled))
        #expect(lines.all.map(\.message) == ["call started", "call cancelled"])
        #expect(lines.all.allSatisfy { $0.level == .debug })
    }

    @Test("the log levels of calls are configurable")
    func levels() throws {
        let (logger, lines) = RecordingLog.make()
        let call = try ObservedCall {
            $0.logger = logger
            $0.logging.calls = .notice
            $0.logging.failures = .error
            $0.logging.retries = .critical
        }
        call.observer.willRetry(.clockCorrected, pause: .zero)
        call.observer.didEnd(status: nil, error: call.error(.tlsFailed))
        #expect(lines.all.map(\.level) == [.notice, .critical, .error])
    }

    @Test("log messages have the logger's metadata and that of the trace")
    func trace() throws {
        let tracer = RecordingTracer()
        let (_, lines) = RecordingLog.make()
        var logger = Logger(label: "test") { _ in
            RecordingLog(lines: lines, logLevel: .debug, metadataProvider: .trace)
        }
        logger[metadataKey: "tenant"] = "t1"
        let call = try ObservedCall {
            $0.logger = logger
            $0.tracer = tracer
        }
        call.start()
        call.answer()
        call.observer.didEnd(status: 200, error: nil)
        let trace = try #require(tracer.spans.all.first?.context.traceParent?.trace)
        #expect(lines.all.count == 3)
        #expect(lines.all.allSatisfy { $0.metadata["trace_id"] == trace && $0.metadata["tenant"] == "t1" })
    }

    @Test("fields and bodies are logged only on request, at trace")
    func content() throws {
        for isAsked in [false, true] {
            let (logger, lines) = RecordingLog.make()
            let call = try ObservedCall(.post) {
                $0.logger = logger
                $0.logging.includesFields = isAsked
                $0.logging.includesBodies = isAsked
            }
            call.start {
                $0.fields = [.contentType: "application/json", .accept: "text/html"]
                $0.body = Data(#"{"name":"x"}"#.utf8)
            }
            call.answer(fields: [.contentType: "text/plain", .server: "s"], body: Data("hello".utf8))
            let content = lines.all.filter { $0.level == .trace }
            guard isAsked else {
                #expect(content.isEmpty)
                continue
            }
            #expect(content.map(\.message) == ["request", "response"])
            #expect(content[0].metadata["helium.fields"] == #"["Content-Type: application/json", "Accept: text/html"]"#)
            #expect(content[0].metadata["helium.body"] == #"{"name":"x"}"#)
            #expect(content[1].metadata["helium.body"] == "hello" && content[1].metadata["helium.body_bytes"] == "5")
        }
    }

    @Test("no secret is logged with any option")
    func secrets() throws {
        let (logger, lines) = RecordingLog.make()
        let call = try ObservedCall(
            .post,
            "https://api.example.com/reset/path-credential?code=q-secret",
            template: "/reset/path-credential",
            secrets: ["path-credential"]
        ) {
            $0.logger = logger
            $0.logging.includesFields = true
            $0.logging.includesBodies = true
        }
        let key = String(repeating: "ab12", count: 16)
        call.start {
            $0.fields = [.authorization: "Bearer b-secret", .contentType: "application/json", .cookie: "sid=c-secret"]
            $0.fields[HTTPField.Name(constant: "X-Auth-Token")] = "t-secret"
            $0.fields[HTTPField.Name(constant: "X-Echo")] = "path-credential \(key)"
            $0.body = Data(
                #"{"user":"ann","password":"p-\"secret","card":{"cvc":"n-secret"},"refresh_token" : ["r-secret"]}"#.utf8
            )
        }
        call.answer(
            302,
            fields: [
                .location: "https://b.example/?code=l-secret&x=l-secret#f", .setCookie: "sid=c-secret",
                .contentType: "application/x-www-form-urlencoded",
            ],
            body: Data("state=1&access_token=f-secret&echo=path-credential".utf8)
        )
        call.observer.willRetry(.clockCorrected, pause: .zero)
        let error = call.error(.unacceptableStatus, .answered, message: "the key \(key) is path-credential")
        call.observer.didEnd(status: 401, error: error)
        let text = lines.all.flatMap { [$0.message] + $0.metadata.values }.joined(separator: "\n")
        #expect(text.contains(#"user":"ann"#) && text.contains("state=1") && text.contains("?code=***"))
        for secret in ["q", "b", "c", "t", "p-\\\"", "n", "r", "l", "f"].map({ "\($0)-secret" }) + [
            "path-credential", key,
        ] {
            #expect(!text.contains(secret), "\(secret) in \(text)")
        }
        #expect(!text.contains(#"\"secret"#))
    }
}

@Suite("Bodies and fields in logs")
struct LoggedTextTests {
    @Test(
        "secret members of JSON are masked in logs",
        arguments: [
            (#"{"token":"abc","n":1}"#, #"{"token":"[redacted]","n":1}"#),
            (#"{"n":1,"apiKey": 12 }"#, #"{"n":1,"apiKey": "[redacted]" }"#),
            (#"{"token": a b, "n":1}"#, #"{"token": "[redacted]", "n":1}"#),
            (#"{"secret":{"a":["}",{}]},"n":1}"#, #"{"secret":"[redacted]","n":1}"#),
            (#"[{"password":null},{"x":"password"}]"#, #"[{"password":"[redacted]"},{"x":"password"}]"#),
            (#"{"pass\u0077ord":"abc"}"#, #"{"pass\u0077ord":"[redacted]"}"#),
            (#"{"token":"cut o"#, #"{"token":"[redacted]""#), (#"{"token""#, #"{"token""#),
            (#"{"token":"#, #"{"token":"[redacted]""#), (#"not json""#, #"not json""#), ("\"\\", "\"\\"),
            ("{\"token\":\"a\"}\n{\"token\":\"b\"}\n", "{\"token\":\"[redacted]\"}\n{\"token\":\"[redacted]\"}\n"),
        ]
    )
    func json(text: String, masked: String) { #expect(SensitiveMembers.maskingJSON(text) == masked) }

    @Test(
        "secret members of forms are masked in logs",
        arguments: [
            ("a=1&client_secret=x&b", "a=1&client_secret=[redacted]&b"), ("p%61ssword=x", "p%61ssword=[redacted]"),
            ("", ""), ("token=", "token=[redacted]"),
        ]
    )
    func form(text: String, masked: String) { #expect(SensitiveMembers.maskingForm(text) == masked) }

    @Test(
        "values of queries are masked in logs",
        arguments: [
            ("https://a.example/?x=1&y=2#z", "https://a.example/?x=***&y=***#***"),
            (#"<https://a.example/?c=1>; rel="next""#, #"<https://a.example/?c=***>; rel="next""#),
            ("/plain", "/plain"),
        ]
    )
    func queries(text: String, masked: String) {
        #expect(ShownField.maskingQueries(text, isOneURL: !text.hasPrefix("<")) == masked)
    }

    @Test("bodies are logged as text only, and up to 1,024 characters")
    func bodies() {
        let text = LoggedText(secrets: [])
        let long = Data(String(repeating: "x-", count: 5000).utf8)
        #expect(text.body(long, mediaType: "text/plain; charset=utf-8")?.count == 1024)
        #expect(text.body(long, mediaType: "image/png") == nil)
        #expect(text.body(long, mediaType: nil) == nil)
        #expect(text.body(Data(), mediaType: "text/plain") == nil)
        #expect(text.body(Data(#"{"a":1}"#.utf8), mediaType: "application/problem+json") == #"{"a":1}"#)
    }

    @Test("random texts are masked in logs without a trap")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array(#"{}[]":,\ a1token="#)
        for _ in 0..<5000 {
            let length = Int.random(in: 0..<40, using: &generator)
            let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
            let masked = SensitiveMembers.maskingJSON(text)
            if !text.contains("token"), !text.contains("\\") { #expect(masked == text) }
        }
    }
}

@Suite("Observability that is off")
struct SilentObservabilityTests {
    @Test("observability is off by default, and creates no instruments")
    func silent() throws {
        let origin = try RequestURL("https://api.example.com/").origin
        #expect(ClientObserver(ClientOptions().observability, origin: origin, clock: TestClock()) == nil)
        #expect(ClientObserver(.none, origin: origin, clock: TestClock()) == nil)
    }

    @Test("each of logs, metrics and traces can be enabled alone")
    func alone() throws {
        let origin = try RequestURL("https://api.example.com/").origin
        let changes: [(inout Observability) -> Void] = [
            { $0.logger = RecordingLog.make().logger }, { $0.metrics = RecordingMetrics() },
            { $0.tracer = RecordingTracer() },
        ]
        for change in changes {
            var observability = Observability.none
            change(&observability)
            #expect(ClientObserver(observability, origin: origin, clock: TestClock()) != nil)
        }
    }

    @Test("the process's logging, metrics and tracing systems are used on request")
    func bootstrapped() {
        let observability = Observability.bootstrapped
        #expect(observability.logger?.label == "helium" && observability.metrics != nil && observability.tracer != nil)
    }
}
