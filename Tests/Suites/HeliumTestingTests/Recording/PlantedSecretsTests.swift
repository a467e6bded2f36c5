import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

/// Plants a secret in one place of an exchange, and repeats it in all others.
struct PlantedSecret: Sendable, CustomTestStringConvertible {
    static let secret = "S3cr3t/Plant+ed=42"
    static let encoded = "S3cr3t%2FPlant%2Bed%3D42"

    let testDescription: String
    let change: @Sendable (inout TransportRequest, inout TransportResponse) throws -> Void

    init(
        _ place: String,
        _ change: @escaping @Sendable (inout TransportRequest, inout TransportResponse) throws -> Void
    ) {
        (testDescription, self.change) = (place, change)
    }

    private static func request(field name: HTTPField.Name, _ value: String) -> Self {
        Self("request field \(name.rawName)") { request, _ in request.fields[name] = value }
    }

    private static func response(body text: String, type: String) -> Self {
        Self("response body \(type): \(text.prefix(30))") { _, response in
            response = .data(Data(text.utf8), fields: [.contentType: type])
        }
    }

    static let all: [Self] = [
        Self("query") { request, _ in request.url = try RequestURL("https://h.example/a?access_token=\(encoded)") },
        Self("fragment of Location") { _, response in
            response = .json("{}", fields: [.location: "/a#access_token=\(encoded)"])
        },
        Self("path of Location") { _, response in
            response = .json("{}", status: 201, fields: [.location: "https://h.example/v2/keys/\(encoded)"])
        },
        Self("password of Location") { _, response in
            response = .json("{}", fields: [.location: "https://user:\(encoded)@h.example/a"])
        },
        Self("path") { request, _ in request.url = try RequestURL("https://h.example/v2/keys/\(encoded)") },
        Self("Set-Cookie") { _, response in response = .json("{}", fields: [.setCookie: "id=\(secret); Path=/"]) },
        request(field: .authorization, "Bearer \(secret)"), request(field: .cookie, "a=b; c=\(secret)"),
        request(field: .authorization, "Basic \(Data("user:\(secret)".utf8).base64EncodedString())"),
        request(field: HTTPField.Name(constant: "X-ApiKey"), secret),
        Self("form") { request, _ in
            request.fields[.contentType] = "application/x-www-form-urlencoded"
            request.body = Data("a=b&client_secret=\(encoded)".utf8)
        },
        Self("multipart form") { request, _ in
            request.fields[.contentType] = "multipart/form-data; boundary=b"
            let head = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n"
            request.body = Data("\(head)\(secret)\r\n--b--\r\n".utf8)
        },
        Self("JSON") { request, _ in request.body = Data(#"{"user":{"password":"\#(secret)"}}"#.utf8) },
        response(body: #"{"refresh_token":"\#(secret)"}"#, type: "application/json"),
        response(body: #"{"password_hash":"\#(secret)"}"#, type: "application/json"),
        response(body: #"{"signature":"S3cr3t\/Plant\u002bed=42"}"#, type: "application/json"),
        response(body: #"{"salt":"\#(secret)"}"#, type: "application/json"),
        response(body: #"{"log":"{\"token\":\"\#(secret)\"}"}"#, type: "application/json"),
        response(body: "<key><api_key>\(secret)</api_key></key>", type: "application/xml"),
        response(body: "see https://h.example/?sig=\(encoded).", type: "text/plain"),
    ]
}

@Suite("Planted secrets", .timeLimit(.minutes(5)))
struct PlantedSecretsTests {
    private let secret = PlantedSecret.secret

    /// The forms in which a copy could be seen.
    private var forms: [String] {
        let data = Data(secret.utf8)
        return [
            secret, PlantedSecret.encoded, #"S3cr3t\/Plant+ed=42"#, data.base64EncodedString(),
            data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(),
        ]
    }

    @Test("a secret that is named in one place is masked in all places of a recording", arguments: PlantedSecret.all)
    func planted(place: PlantedSecret) async throws {
        let echo = forms.joined(separator: " ")
        let mock = MockTransport()
        mock.on(.get, "/echo") { _ in .data(Data("echo: \(echo)".utf8), fields: [.eTag: PlantedSecret.secret]) }
        mock.on(.get, "/lost") { _ throws(TransportFailure) in
            throw TransportFailure(.connectionLost, delivery: .maybeSent, message: "lost \(echo)")
        }
        let exchange = try exchange(place)
        mock.on(nil, "/*") { _ in exchange.response }
        let recording = RecordingTransport(wrapping: mock)
        // The copies come before and after the place that names the secret.
        for _ in 0..<2 {
            var copy = try TransportRequest(to: "https://h.example/echo?note=\(PlantedSecret.encoded)")
            copy.fields[.userAgent] = secret
            copy.body = Data(#"{"note":"\#(secret)"}"#.utf8)
            _ = try await recording.execute(copy)
            _ = try await recording.failure(TransportRequest(to: "https://h.example/lost"))
            _ = try await recording.execute(exchange.request)
        }
        let har = recording.har
        #expect(har.entries.count == 6)
        var dumped = String(describing: har) + String(describing: recording)
        dump(har, to: &dumped)
        dumped += String(decoding: try har.encoded(), as: UTF8.self)
        // A body that is not text is in Base64.
        dumped += har.entries.map { String(decoding: $0.response.content.data ?? Data(), as: UTF8.self) }.joined()
        for form in forms { #expect(!dumped.localizedCaseInsensitiveContains(form), "\(form)") }
        #expect(try HAR(har.encoded()).entries.count == 6)
    }

    private func exchange(_ place: PlantedSecret) throws -> (request: TransportRequest, response: TransportResponse) {
        var request = try TransportRequest(.post, to: "https://h.example/a")
        var response = TransportResponse.json("{}")
        try place.change(&request, &response)
        return (request, response)
    }

    @Test("failures of a mock and of a replay have no secret of the request", arguments: [true, false])
    func failures(isMock: Bool) async throws {
        var request = try TransportRequest(.post, to: "https://h.example/a?access_token=\(PlantedSecret.encoded)")
        request.fields[.authorization] = "Bearer \(secret)"
        request.body = Data(#"{"password":"\#(secret)"}"#.utf8)
        let mock = MockTransport()
        mock.on(.get, "/b", .field(.authorization, secret)) { _ in .empty() }
        for name in ["access_token", "key", "sig", "password"] {
            mock.on(.post, "/a", .query(name, "other-\(secret)")) { _ in .empty() }
        }
        mock.on(.post, "/a", .field(.location, "/a?access_token=\(PlantedSecret.encoded)")) { _ in .empty() }
        mock.on(.post, "/v2/keys/\(PlantedSecret.encoded)", times: .atLeastOnce) { _ in .empty() }
        let empty = try ReplayTransport(HAR(creator: HAR.Creator(name: "x", version: "1")))
        let transport: any HTTPTransport = isMock ? mock : empty
        let inPath = try await transport.failure(
            TransportRequest(to: "https://h.example/v2/keys/\(PlantedSecret.encoded)?x")
        )
        let failure = try await transport.failure(request)
        var shown = "\(failure) \(String(reflecting: failure)) \(failure.message) \(inPath)"
        dump(failure, to: &shown)
        dump(inPath, to: &shown)
        for requests in [mock.requests, mock.unmatchedRequests, empty.unmatchedRequests] {
            shown += "\(requests) \(String(reflecting: requests))"
            dump(requests, to: &shown)
        }
        if isMock {
            let unmet = #expect(throws: MockTransport.VerificationFailure.self) { try mock.verify() }
            shown += unmet?.description ?? ""
        }
        for form in forms { #expect(!shown.contains(form), "\(form)") }
    }

    @Test("the requests and events of a fault server show no secret of a request")
    func faultServer() async throws {
        try await FaultServer.run(faults: [.healthy, .answerBeforeBody(), .redirectLoop]) { server in
            var request = try TransportRequest(
                .post,
                to: "\(server.url)/v2/keys/\(PlantedSecret.encoded)?access_token=\(PlantedSecret.encoded)"
            )
            request.fields[.authorization] = "Bearer \(secret)"
            request.body = Data(#"{"password":"\#(secret)"}"#.utf8)
            try await withCurlTransport { [request] transport in
                for _ in 0..<3 { _ = try await transport.execute(request) }
            }
            #expect(server.requests.count == 3)
            var shown = "\(server.requests) \(server.events) \(server) \(String(reflecting: server.requests))"
            dump(server.requests, to: &shown)
            dump(server.events, to: &shown)
            dump(server, to: &shown)
            for form in forms { #expect(!shown.contains(form), "\(form)") }
        }
    }

    @Test("a compressed request body is not kept in a recording")
    func compressed() async throws {
        let recording = RecordingTransport(wrapping: MockTransport { _ in .empty() })
        var request = try TransportRequest(.post, to: "https://h.example/a", body: "compressed")
        request.fields[.contentEncoding] = "gzip"
        _ = try await recording.execute(request)
        let body = recording.har.entries[0].request.postData
        #expect(body?.text == "" && body?.isTruncated == true)
        #expect(try await ReplayTransport(recording.har).execute(request).head.status == 204)
    }
}
