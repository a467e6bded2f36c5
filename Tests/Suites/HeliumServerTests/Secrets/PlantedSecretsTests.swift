import Foundation
import HTTPTypes
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Logging
import ServerSupport
import Synchronization
import TestSupport
import Testing

@Suite("Planted secrets in requests to a server", .timeLimit(.minutes(5)))
struct PlantedSecretsTests {
    private static let secret = "S3cr3tPlanted42abcdefABCDEF0123"

    /// A request that has the secret where each protocol takes one.
    private static let requests: [(method: HTTPRequest.Method, target: String, type: String, body: String?)] = [
        (.get, "/v2/feeds?key=\(secret)", "", nil), (.get, "/v2/keys/\(secret)", "", nil),
        (.delete, "/v2/keys/\(secret).json?key=\(secret)", "", nil),
        (.get, "/stream/0/users/me?access_token=\(secret)", "", nil),
        (.post, "/stream/0/posts?access_token=\(secret)", "application/json", #"{"text":7,"token":"\#(secret)"}"#),
        (.post, "/oauth/access_token", "application/x-www-form-urlencoded", "client_secret=\(secret)&code=\(secret)"),
        (.post, "/oauth/authorize", "application/x-www-form-urlencoded", "username=alice&password=\(secret)"),
        (.post, "/demo-auth/v1/devices", "application/json", #"{"password":"\#(secret)","#),
        (.get, "/demo-auth/v1/services?signature=\(secret)", "", nil), (.get, "/data?token=\(secret)", "", nil),
    ]

    @Test("neither the log nor the list of requests of a server has a secret of a request")
    func logs() async throws {
        let lines = RecordingLog.Lines()
        let clock = TestClock()
        let numbers = Mutex(SeededRandom(seed: 1))
        let random = RandomSource { numbers.withLock { $0.next() } }
        let server = try EmbeddedServer(
            .repeatable(clock: clock, random: random),
            logger: Logger(label: "test") { _ in RecordingLog(lines: lines) }
        )
        let transport = try InMemoryTransport(server, clock: clock)
        for (method, target, type, body) in Self.requests {
            var request = TransportRequest(
                method: method,
                url: try RequestURL("\(transport.ready.http.absoluteString)\(target)"),
                body: body.map { Data($0.utf8) }
            )
            if !type.isEmpty { request.fields[.contentType] = type }
            for name in ["Authorization", "X-ApiKey", "Key", "Session", "Cookie"] {
                guard let name = HTTPField.Name(name) else { continue }
                request.fields[name] = name == .authorization ? "Bearer \(Self.secret)" : Self.secret
            }
            _ = try await transport.execute(request)
        }
        #expect(server.requests.count == Self.requests.count)
        var shown = lines.all.joined(separator: "\n") + server.requests.description + String(describing: server)
        dump(server.requests.entries, to: &shown)
        #expect(!shown.localizedCaseInsensitiveContains(Self.secret))
    }
}
