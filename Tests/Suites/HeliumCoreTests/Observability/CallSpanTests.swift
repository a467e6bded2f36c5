import Foundation
import HTTPTypes
import HeliumTesting
import Testing
import Tracing

@testable import HeliumCore

@Suite("Spans of calls and attempts")
struct CallSpanTests {
    private let tracer = RecordingTracer()

    private func spans() -> [RecordingSpan] { tracer.spans.all }

    @Test("a call is an internal span with a client span for each attempt, under the caller's span")
    func nesting() throws {
        var context = ServiceContext.topLevel
        context.traceParent = TraceParent(trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331")
        try ServiceContext.withValue(context) {
            let call = try ObservedCall { $0.tracer = tracer }
            call.start(1)
            call.answer(503)
            call.start(2)
            call.answer(200, number: 2)
            call.observer.didEnd(status: 200, error: nil)
        }
        let spans = spans()
        #expect(spans.map(\.kind) == [.internal, .client, .client])
        #expect(spans.map(\.operationName) == ["GET /shows/:id", "GET /shows/:id", "GET /shows/:id"])
        #expect(spans.map(\.parent) == [context, spans[0].context, spans[0].context].map(\.traceParent))
        #expect(Set(spans.map(\.context.traceParent?.trace)) == ["0af7651916cd43dd8448eb211c80319c"])
        #expect(spans.allSatisfy { $0.ends.count == 1 })
    }

    @Test("a call without a caller's span begins a trace")
    func root() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.observer.didEnd(status: nil, error: call.error(.authorizationFailed))
        #expect(spans().map(\.parent) == [nil])
    }

    @Test("an attempt's span has the attributes of OpenTelemetry, with the URL redacted")
    func attributes() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start(1)
        call.answer(200)
        call.observer.didEnd(status: 200, error: nil)
        let expected = [
            "http.request.method": "GET", "url.full": "https://api.example.com/shows/42?token=***&page=***",
            "url.template": "/shows/:id", "server.address": "api.example.com", "server.port": "443",
            "http.response.status_code": "200",
        ]
        #expect(spans()[0].facts == expected)
        #expect(spans()[1].facts == expected.merging(["network.protocol.version": "2"]) { $1 })
        #expect(spans().allSatisfy { $0.status == nil && $0.errors.isEmpty })
    }

    @Test(
        "an attempt's span has the server of its request",
        arguments: [
            ("http://localhost:8080/", "localhost", "8080"), ("http://example.com/", "example.com", "80"),
            ("https://[2001:db8::1]/", "2001:db8::1", "443"),
        ]
    )
    func server(url: String, address: String, port: String) throws {
        let call = try ObservedCall(.get, url) { $0.tracer = tracer }
        call.start()
        #expect(spans().allSatisfy { $0.facts["server.address"] == address && $0.facts["server.port"] == port })
    }

    @Test("an attempt's span after a redirect has the new URL")
    func redirect() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start(1)
        call.answer(302)
        let other = try RequestURL("https://cdn.example.net/blob?sig=abc")
        call.start(2) { $0.url = other }
        #expect(spans()[2].facts["server.address"] == "cdn.example.net")
        #expect(spans()[2].facts["url.full"] == "https://cdn.example.net/blob?sig=***")
        #expect(spans()[0].facts["server.address"] == "api.example.com")
    }

    @Test("a repeated attempt's span has the number of resends")
    func resends() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        for number in 1...3 {
            call.start(number)
            call.answer(503, number: number)
        }
        #expect(spans().map { $0.facts["http.request.resend_count"] } == [nil, nil, "1", "2"])
    }

    @Test("the span of an unknown method has _OTHER, and HTTP in its name")
    func unknownMethod() throws {
        let method = try #require(HTTPRequest.Method("BREW"))
        let call = try ObservedCall(method, template: nil) { $0.tracer = tracer }
        call.start()
        for span in spans() {
            #expect(span.operationName == "HTTP")
            #expect(span.facts["http.request.method"] == "_OTHER")
            #expect(span.facts["http.request.method_original"] == "BREW")
        }
    }

    @Test("the error of a span with a failed status is the status, without a description", arguments: [404, 500])
    func failingStatus(status: Int) throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start()
        call.answer(status)
        call.observer.didEnd(status: status, error: call.error(.unacceptableStatus, .answered))
        for span in spans() {
            #expect(span.facts["error.type"] == "\(status)")
            #expect(span.facts["http.response.status_code"] == "\(status)")
            #expect(span.status == SpanStatus(code: .error))
        }
    }

    @Test("a failed status that the caller accepts is no error of the call's span")
    func acceptedStatus() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start()
        call.answer(404)
        call.observer.didEnd(status: 404, error: nil)
        #expect(spans()[0].status == nil && spans()[0].facts["error.type"] == nil)
    }

    @Test("a failure is recorded with its kind on the attempt's and the call's span")
    func failure() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start()
        call.fail(.connectionLost, .maybeSent)
        call.observer.didEnd(status: nil, error: call.error(.connectionLost, .maybeSent))
        for span in spans() {
            #expect(span.facts["error.type"] == "connectionLost")
            #expect(span.status?.code == .error && span.errors.count == 1)
            #expect("\(span.errors)".contains("connectionLost"))
        }
    }

    @Test("an unknown kind of failure is not the error type of a span")
    func foreignKind() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.observer.didEnd(status: nil, error: call.error(FailureKind(rawValue: "user 4711 failed")))
        #expect(spans()[0].facts["error.type"] == "other")
    }

    @Test("the span of an attempt that never reached the transport ends with its call")
    func unfinishedAttempt() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.start()
        call.observer.didEnd(status: nil, error: call.error(.authorizationFailed))
        call.observer.didEnd(status: nil, error: nil)
        #expect(spans().map(\.ends.count) == [1, 1])
        #expect(spans()[1].facts["error.type"] == "authorizationFailed")
    }

    @Test("a released call leaves no span open")
    func dropped() throws {
        do {
            let call = try ObservedCall { $0.tracer = tracer }
            call.start(1)
            call.start(2)
        }
        #expect(spans().map(\.ends.count) == [1, 1, 1])
    }

    @Test("a retry is an event of the call's span")
    func retry() throws {
        let call = try ObservedCall { $0.tracer = tracer }
        call.observer.willRetry(.clockCorrected, pause: .milliseconds(250))
        let event = try #require(spans()[0].events.first)
        #expect(event.name == "retry")
        #expect(event.attributes.get("helium.reason") == "clockCorrected")
        #expect(event.attributes.get("helium.pause_ms") == .double(250))
    }

    @Test("spans have the times of the client's clock")
    func times() throws {
        let call = try ObservedCall(clock: TestClock(wallTime: .seconds(1000))) { $0.tracer = tracer }
        call.clock.advance(by: .seconds(1))
        call.start()
        call.clock.advance(by: .milliseconds(5))
        call.answer()
        call.clock.advance(by: .seconds(2))
        call.observer.didEnd(status: 200, error: nil)
        #expect(spans().map(\.start) == [1_000_000_000_000, 1_001_000_000_000])
        #expect(spans().map(\.ends) == [[1_003_005_000_000], [1_001_005_000_000]])
    }

    @Test("no secret is in a span")
    func secrets() throws {
        let call = try ObservedCall(
            .get,
            "https://api.example.com/reset/opaque-credential?code=q-secret",
            template: "/reset/opaque-credential",
            secrets: ["opaque-credential"]
        ) { $0.tracer = tracer }
        call.start { $0.fields[.authorization] = "Bearer b-secret" }
        call.answer(401, fields: [.setCookie: "sid=c-secret"], body: Data("body-secret".utf8))
        var error = call.error(.unacceptableStatus, .answered, message: "refused opaque-credential")
        error[fact: \.bodyExcerpt] = "body-secret"
        call.observer.didEnd(status: 401, error: error)
        for span in spans() {
            for secret in ["opaque-credential", "q-secret", "b-secret", "c-secret", "body-secret"] {
                #expect(!span.everything.contains(secret), "\(secret) in \(span.everything)")
            }
        }
    }
}

@Suite("Trace context in requests")
struct ContextPropagationTests {
    @Test("each attempt sends its own span in W3C's format")
    func injects() throws {
        let tracer = RecordingTracer()
        let call = try ObservedCall { $0.tracer = tracer }
        let name = HTTPField.Name(constant: "traceparent")
        for number in 1...2 {
            let request = call.start(number) { $0.fields[name] = "00-stale" }
            let span = try #require(tracer.spans.all.last?.context.traceParent)
            #expect(request.fields[fields: name].map(\.value) == ["00-\(span.trace)-\(span.span)-01"])
            #expect(request.fields[HTTPField.Name(constant: "tracestate")] == "helium=test")
        }
    }

    @Test("no trace context is sent if the options disable it")
    func isOptional() throws {
        let call = try ObservedCall {
            $0.tracer = RecordingTracer()
            $0.tracing.propagatesContext = false
        }
        #expect(call.start().fields.isEmpty)
    }

    @Test("another instrument may write the trace context")
    func propagator() throws {
        let call = try ObservedCall {
            $0.tracer = RecordingTracer()
            $0.tracing.propagator = RecordingTracer(extras: ["baggage": "tenant=t1"])
        }
        #expect(call.start().fields.map(\.name.rawName) == ["traceparent", "tracestate", "baggage"])
    }

    @Test(
        "a tracer cannot write fields of the transport, invalid names or line breaks",
        arguments: [
            ("Host", "evil.example"), ("Content-Length", "9"), ("bad name", "x"), ("baggage", "a=b\r\nHost: c"),
        ]
    )
    func refuses(name: String, value: String) throws {
        let call = try ObservedCall { $0.tracer = RecordingTracer(extras: [name: value]) }
        #expect(call.start().fields.map(\.name.rawName) == ["traceparent", "tracestate"])
    }

    @Test("code in the attempt's context belongs to its span")
    func context() async throws {
        let tracer = RecordingTracer()
        let call = try ObservedCall { $0.tracer = tracer }
        call.start()
        let inner = try await call.observer.withContext { () async throws(TransportFailure) in
            ServiceContext.current?.traceParent
        }
        #expect(inner != nil && inner == tracer.spans.all.last?.context.traceParent)
        await #expect(throws: TransportFailure.self) {
            try await call.observer.withContext { () async throws(TransportFailure) -> Int in
                throw TransportFailure(.timedOut, delivery: .notSent, message: "late")
            }
        }
    }
}
