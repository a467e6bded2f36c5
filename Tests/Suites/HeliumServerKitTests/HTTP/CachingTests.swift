import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit

@Suite("Validators and compression of responses", .timeLimit(.minutes(5)))
struct CachingTests {
    private static let target = "/demo-auth/v1/services"

    @Test("a response has a weak ETag of its body, and If-None-Match with it gets 304 without a body")
    func notModified() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let device = try await peer.register()
            let todo = "/demo-auth/v1/todo"
            let first = try await peer.signed("GET", todo, device: device)
            let tag = try #require(first["etag"])
            #expect(tag.wholeMatch(of: /W\/"[0-9a-f]+-[0-9a-f]{27}"/) != nil)
            for candidates in [tag, "\"x\", \(tag)", "*", String(tag.dropFirst(2))] {
                let again = try await peer.signed(
                    "GET",
                    todo,
                    device: device,
                    fields: [("If-None-Match", candidates)]
                )
                #expect(again.status == 304)
                #expect(again["etag"] == tag)
                #expect(again["timestamp"] != nil)
            }
            let other = try await peer.signed("GET", todo, device: device, fields: [("If-None-Match", "\"x\"")])
            #expect(other.status == 200)
            _ = try await peer.signed("POST", todo, device: device, json: #"{"name":"a"}"#)
            let changed = try await peer.signed("GET", todo, device: device, fields: [("If-None-Match", tag)])
            #expect(changed.status == 200)
            #expect(changed["etag"] != tag)
        }
    }

    @Test("an error response is never 304")
    func failuresAreWhole() async throws {
        try await withEmbeddedServer { running in
            let answer = try await Peer(running: running)
                .send("GET", "/nowhere", fields: [("If-None-Match", "*")])
            #expect(answer.status == 404)
        }
    }

    @Test("a response of 1 kB or more is compressed if the client accepts gzip, and keeps its ETag")
    func packs() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let plain = try await peer.send("GET", Self.target)
            #expect(plain.body.count >= 1024)
            #expect(plain["content-encoding"] == nil)
            let packed = try await peer.send("GET", Self.target, fields: [("Accept-Encoding", "br, gzip;q=0.5")])
            #expect(packed["content-encoding"] == "gzip")
            #expect(packed["etag"] == plain["etag"])
            #expect(packed.body.count < plain.body.count)
            #expect(try ContentCoding.inflated(packed.body, ceiling: 1 << 20) == plain.body)
            let short = try await peer.send("GET", "/nowhere", fields: [("Accept-Encoding", "gzip")])
            #expect(short["content-encoding"] == nil)
        }
    }

    @Test(
        "gzip is used only if Accept-Encoding allows it",
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate", false), ("*", true),
            ("gzip;q=0", false), ("*;q=0", false), ("gzip;q=0, *", false), ("identity, gzip; q=0.1", true),
        ] as [(String?, Bool)]
    )
    func accepts(_ header: String?, _ expected: Bool) {
        #expect(ReplyFinisher.acceptsGzip(header) == expected)
    }

    @Test("HEAD has the fields of GET and no body, and the connection stays open")
    func head() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            try await connection.send(Peer.bytes("HEAD", Self.target, host: peer.host))
            let head = try await connection.answer(isHead: true)
            try await connection.send(Peer.bytes("GET", Self.target, host: peer.host))
            let get = try await connection.answer()
            #expect(head.status == 200)
            #expect(head["content-length"] == String(get.body.count))
            #expect(head["etag"] == get["etag"])
        }
    }
}
