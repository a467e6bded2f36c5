import Foundation
import HTTPTypes
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import Synchronization
import TestSupport

/// A server in memory, its clock and a transport to it.
struct MemoryServer {
    let clock = TestClock()
    let server: EmbeddedServer
    let transport: InMemoryTransport

    init(seed: UInt64 = 1, port: Int = 0) throws {
        var configuration = EmbeddedServerConfiguration.repeatable(clock: clock, random: .seeded(seed))
        configuration.port = port
        server = try EmbeddedServer(configuration)
        transport = try InMemoryTransport(server, clock: clock)
    }

    func request(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) throws -> TransportRequest {
        try .appNet(method, path, body, at: transport.ready.http)
    }

    func execute(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil
    ) async throws -> TransportResponse {
        try await transport.execute(try request(method, path, body))
    }

    /// A channel of alice's.
    func createChannel() async throws -> String {
        let created = try await execute(.post, "/stream/0/channels", #"{"type":"com.example.test"}"#)
        return try created.json["data"]?["id"]?.stringValue ?? ""
    }
}

extension RandomSource {
    static func seeded(_ seed: UInt64) -> Self {
        let numbers = Mutex(SeededRandom(seed: seed))
        return Self { numbers.withLock { $0.next() } }
    }
}

extension TransportRequest {
    /// A request with alice's token and uncompressed response.
    static func appNet(_ method: HTTPRequest.Method, _ path: String, _ body: String?, at root: URL) throws -> Self {
        var fields: HTTPFields = [.authorization: "Bearer alice-token"]
        if body != nil { fields[.contentType] = "application/json" }
        var request = Self(
            method: method,
            url: try RequestURL(root.absoluteString + path),
            fields: fields,
            body: body.map { Data($0.utf8) }
        )
        request.acceptsContentCodings = false
        return request
    }
}

extension TransportResponse {
    var data: Data {
        guard case .collected(let data) = body else { return Data() }
        return data
    }

    var json: JSONValue { get throws { try JSONDecoder().decode(JSONValue.self, from: data) } }

    /// Status, fields and body, without the date.
    var lines: [String] {
        let fields = head.fields.filter { $0.name != .date }.map { "\($0.name.canonicalName): \($0.value)" }
        return ["\(head.status)"] + fields.sorted() + [String(decoding: data, as: UTF8.self)]
    }
}

/// The failure of a request that must fail.
func transportFailure(_ body: () async throws -> Void) async throws -> TransportFailure? {
    do {
        try await body()
        return nil
    } catch let failure as TransportFailure {
        return failure
    }
}
