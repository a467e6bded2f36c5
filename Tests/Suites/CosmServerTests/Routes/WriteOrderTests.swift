import Dispatch
import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Order of a write to Cosm: rights, body, store", .timeLimit(.minutes(5)))
struct WriteOrderTests {
    private static let reader = #"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#

    /// Runs `body` while a transaction occupies the store's only writer.
    private func whileWriting(_ peer: CosmPeer, _ body: () async throws -> Void) async throws {
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let writing = Task {
            try await peer.running.cosm.state.store.write { _ in
                begun.signal()
                end.wait()
            } publish: { _, _ in
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                begun.wait()
                continuation.resume()
            }
        }
        do {
            try await body()
        } catch {
            end.signal()
            throw error
        }
        end.signal()
        try await writing.value
    }

    @Test("a write without the right, and a body that cannot be read, are refused while another write is in progress")
    func writerIsNotNeeded() async throws {
        // A database in memory has one connection, for which reads would wait too.
        try await withStoredCosm { peer async throws in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"a"}]}"#)
            let reading = CosmPeer(peer.running, key: try await peer.createKey(Self.reader))
            try await whileWriting(peer) { () async throws in
                for (method, path) in [("PUT", "/feeds/1"), ("DELETE", "/feeds/1"), ("POST", "/triggers")] {
                    #expect(try await reading.send(method, path, "{").status == 403, "\(method) \(path)")
                }
                #expect(try await peer.put("/feeds/1", "{").status == 400)
                #expect(try await peer.put("/feeds/1.xml", "<rss/>").status == 400)
                #expect(try await peer.put("/feeds/1.csv", "a,b,c,d").status == 400)
                #expect(try await peer.post("/feeds", "{}").status == 422)
                #expect(try await peer.post("/feeds/1/datastreams/b/datapoints", "{").status == 404)
                let unpacked = [UInt8](repeating: 0x0A, count: 8_000_000)
                #expect(try await compressed(peer, "/v2/feeds/1.csv", unpacked).status == 400)
            }
        }
    }

    private func withStoredCosm(_ body: (CosmPeer) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            var configuration = EmbeddedServerConfiguration()
            configuration.store = folder.appendingPathComponent("server.sqlite").path
            try await withEmbeddedServer(configuration) { try await body(CosmPeer($0)) }
        }
    }

    private func compressed(_ peer: CosmPeer, _ target: String, _ bytes: [UInt8]) async throws -> RawAnswer {
        let connection = try RawConnection(port: peer.port)
        let fields = [("X-ApiKey", peer.key), ("Content-Encoding", "gzip")]
        let body = ContentCoding.gzip(bytes)
        try await connection.send(Peer.bytes("PUT", target, host: "h", fields: fields, body: body))
        return try await connection.answer()
    }

    @Test("an upload of a key without the right is refused before its body is received")
    func headIsEnough() async throws {
        try await withCosm { peer async throws in
            try await peer.createFeed()
            let key = try await peer.createKey(Self.reader)
            let connection = try RawConnection(port: peer.port)
            let length = 2 * peer.running.server.configuration.limits.bodyBytes
            try await connection.send(
                "PUT /v2/feeds/1 HTTP/1.1\r\nHost: h\r\nX-ApiKey: \(key)\r\nContent-Length: \(length)\r\n\r\n"
            )
            #expect(try await connection.answer().status == 403)
        }
    }

    @Test("a decompressed body has at most a hundred times the bytes of the compressed one, if it is large")
    func ratio() {
        #expect(CosmBody.unpackedBytes(of: 0) == 65_536)
        #expect(CosmBody.unpackedBytes(of: 655) == 65_536)
        #expect(CosmBody.unpackedBytes(of: 8_192) == 819_200)
        #expect(CosmBody.unpackedBytes(of: 1 << 20) == 8 << 20)
        #expect(CosmBody.unpackedBytes(of: .max) == 8 << 20)
    }

    private func content(_ text: String, _ format: DocumentFormat) -> CosmContent {
        CosmContent(body: .bytes(Array(text.utf8)), format: format)
    }

    @Test("a body has a limited number of rows, cells, values and datastreams")
    func bounds() throws {
        let rows = String(repeating: "\n", count: CSVRows.maximumRows + 1)
        #expect(throws: CosmFailure.self) { try content(rows + "a,1", .csv).feed() }
        #expect(throws: CosmFailure.self) { try content(String(repeating: ",", count: 100_000), .csv).feed() }
        func points(_ count: Int) -> String {
            (0..<count).map { "temp,\(ServerInstant(microseconds: Int64($0)).text()),1" }.joined(separator: "\n")
        }
        let input = try content(points(CosmContent.maximumValues), .csv).feed()
        #expect(input.datastreams.first?.datapoints.count == CosmContent.maximumValues)
        #expect(throws: CosmFailure.badParameter("More than 5000 values in one request")) {
            try content(points(CosmContent.maximumValues + 1), .csv).feed()
        }
        let streams = (0...CosmContent.maximumDatastreams).map { #"{"id":"s\#($0)"}"# }.joined(separator: ",")
        #expect(throws: CosmFailure.badParameter("More than 1000 datastreams in one request")) {
            try content(#"{"datastreams":[\#(streams)]}"#, .json).feed()
        }
        let zeros = String(repeating: "0,", count: 200_000)
        #expect(throws: CosmFailure.self) { try content(#"{"title":"T","x":[\#(zeros)0]}"#, .json).newFeed() }
    }

    @Test("a key has a limited number of resources and limited texts")
    func keyBounds() throws {
        func key(_ permissions: String) throws -> KeyInput {
            try content(#"{"key":{"label":"k","permissions":[\#(permissions)]}}"#, .json).key()
        }
        let resources = (1...600).map { #"{"feed_id":\#($0)}"# }.joined(separator: ",")
        let permission = #"{"access_methods":["get"],"resources":[\#(resources)]}"#
        #expect(try key(permission).permissions.first?.resources.count == 600)
        #expect(throws: CosmFailure.invalid("Resources are too many (maximum is 1000)")) {
            try key("\(permission),\(permission)")
        }
        let long = String(repeating: "x", count: 3_000)
        for member in [#""referer":"\#(long)""#, #""label":"\#(long)""#, #""source_ip":"\#(long)""#] {
            #expect(throws: CosmFailure.self) { try key(#"{"access_methods":["get"],\#(member)}"#) }
        }
    }

    @Test("requests with unknown keys are not counted, and do not reset the count of a known one")
    func unknownKeysAreNotCounted() async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withCosm {
            $0.clock = clock.clock
            $0.rateLimit = CosmRateLimit(requests: 2, minutes: 3)
        } _: { peer async throws in
            #expect(try await peer.get("/feeds").status == 200)
            for _ in 0..<3 {
                #expect(try await CosmPeer(peer.running, key: "unknown").get("/feeds").status == 401)
                #expect(try await CosmPeer(peer.running, key: "unknown").post("/feeds", "{}").status == 401)
            }
            // Before its window ends, the master key has one request left.
            #expect(try await peer.post("/feeds", #"{"title":"T"}"#).status == 201)
            #expect(try await peer.post("/feeds", #"{"title":"T"}"#).errors == ["Rate limit exceeded"])
        }
    }
}
