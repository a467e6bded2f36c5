import Foundation
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("TLS and HTTP/2 of the server", .timeLimit(.minutes(5)))
struct TLSTests {
    private static let services = "/demo-auth/v1/services"

    /// `openssl s_client`, which verifies the server against the throw-away authority.
    private func client(_ running: RunningServer, _ certificates: ThrowawayCertificates, _ more: [String]) -> Tool {
        let port = running.ready.http.port ?? 0
        return Tool(
            "/usr/bin/env",
            [
                "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost", "-verify_ip",
                "127.0.0.1", "-CAfile", certificates.authorityPath, "-verify_return_error",
            ] + more
        )
    }

    private func withTLS(_ body: (RunningServer, ThrowawayCertificates) async throws -> Void) async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.tls = certificates.server
            try await withEmbeddedServer(configuration) { running in try await body(running, certificates) }
        }
    }

    @Test("the server's certificate is valid, ALPN selects h2 or http/1.1, and old TLS is refused")
    func negotiates() async throws {
        try await withTLS { running, certificates in
            #expect(running.ready.http.scheme == "https")
            #expect(running.ready.middleware.base.scheme == "https")
            for (offer, chosen) in [("h2,http/1.1", "h2"), ("http/1.1", "http/1.1")] {
                let output = try await client(running, certificates, ["-alpn", offer])
                    .exchange([], endsInput: true) { _ in false }
                let text = String(decoding: output, as: UTF8.self)
                #expect(text.contains("ALPN protocol: \(chosen)"))
                #expect(text.contains("Verify return code: 0 (ok)"))
            }
            let old = try await client(running, certificates, ["-tls1_1"]).exchange([], endsInput: true) { _ in false }
            #expect(!String(decoding: old, as: UTF8.self).contains("Verify return code: 0 (ok)\n---\nread"))
            #expect(String(decoding: old, as: UTF8.self).contains("Cipher is (NONE)"))
        }
    }

    @Test("Cosm's WebSocket is served over TLS with the same certificate")
    func secureWebSocket() async throws {
        try await withTLS { running, certificates in
            let cosm = running.ready.cosm
            #expect(cosm.webSocket.scheme == "wss")
            #expect(cosm.base.scheme == "https")
            let client = Tool(
                "/usr/bin/env",
                [
                    "openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(cosm.webSocket.port ?? 0)", "-verify_ip",
                    "127.0.0.1", "-CAfile", certificates.authorityPath, "-verify_return_error",
                ]
            )
            let handshake = Array(WebSocketClient.handshake("/").utf8)
            let output = try await client.exchange(handshake, endsInput: false) {
                String(decoding: $0, as: UTF8.self).contains("\r\n\r\n")
            }
            #expect(String(decoding: output, as: UTF8.self).hasPrefix("HTTP/1.1 101"))
        }
    }

    @Test("a signature over TLS has the scheme https with HTTP/1.1")
    func signsHTTPS() async throws {
        try await withTLS { running, certificates in
            let device = try await Self.register(running)
            let key = key(for: device, host: "localhost")
            let request = Peer.bytes(
                "GET",
                "/demo-auth/v1/todo",
                host: "localhost",
                fields: [("key", key), ("Connection", "close")]
            )
            let output = try await client(running, certificates, ["-quiet"])
                .exchange(request, endsInput: false) { String(decoding: $0, as: UTF8.self).contains("\"response\"") }
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text.hasSuffix(#"{"status":200,"response":[]}"#))
        }
    }

    @Test("HTTP/2 over TLS serves parallel streams, and signatures use :authority")
    func http2() async throws {
        try await withTLS { running, certificates in
            let device = try await Self.register(running)
            let bytes = HTTP2Frames.requests(
                "GET",
                Array(repeating: "/demo-auth/v1/todo", count: 5),
                scheme: "https",
                authority: "localhost",
                fields: [("key", key(for: device, host: "localhost"))]
            )
            let output = try await client(running, certificates, ["-quiet", "-alpn", "h2"])
                .exchange(bytes, endsInput: false) { HTTP2Frames.areComplete([1, 3, 5, 7, 9], in: $0) }
            for stream in [1, 3, 5, 7, 9] as [UInt32] {
                let answer = HTTP2Frames.answer(stream, in: output)
                #expect(answer.isOK)
                #expect(answer.body == #"{"status":200,"response":[]}"#)
            }
        }
    }

    @Test("HTTP/2 without TLS is served with prior knowledge if it is enabled")
    func priorKnowledge() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesPriorKnowledgeHTTP2 = true
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            try await connection.send(
                HTTP2Frames.requests("GET", [Self.services, "/nowhere"], scheme: "http", authority: peer.host)
            )
            var bytes: [UInt8] = []
            while !HTTP2Frames.areComplete([1, 3], in: bytes) { bytes += try await connection.read(count: 1) }
            #expect(HTTP2Frames.answer(1, in: bytes).isOK)
            #expect(HTTP2Frames.answer(1, in: bytes).body.hasPrefix(#"{"status":200,"response":[{"id":"todo.list""#))
            #expect(HTTP2Frames.answer(3, in: bytes).body == #"{"status":404,"errors":[{}]}"#)
        }
    }

    @Test("HEAD and a cut response end their stream over HTTP/2, and the connection stays open")
    func streamsEnd() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesPriorKnowledgeHTTP2 = true
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            running.faults.inject(.cut, .path("/nowhere"))
            let connection = try RawConnection(port: peer.port)
            try await connection.send(
                HTTP2Frames.requests("HEAD", [Self.services], scheme: "http", authority: peer.host)
            )
            var bytes: [UInt8] = []
            while !HTTP2Frames.areComplete([1], in: bytes) { bytes += try await connection.read(count: 1) }
            #expect(HTTP2Frames.answer(1, in: bytes).isOK)
            #expect(HTTP2Frames.answer(1, in: bytes).body.isEmpty)
            let second = try RawConnection(port: peer.port)
            try await second.send(
                HTTP2Frames.requests("GET", ["/nowhere", Self.services], scheme: "http", authority: peer.host)
            )
            bytes = []
            while !HTTP2Frames.areComplete([3], in: bytes)
                || !HTTP2Frames.parse(bytes).contains(where: { $0.stream == 1 && $0.type == HTTP2Frames.reset })
            {
                bytes += try await second.read(count: 1)
            }
            #expect(HTTP2Frames.answer(1, in: bytes).body == #"{"status":404,"#)
            #expect(HTTP2Frames.answer(3, in: bytes).isOK)
        }
    }

    @Test("files that are not a certificate and its key are an error of the start that names them")
    func unusable() async throws {
        try await ThrowawayCertificates.with { certificates in
            let good = certificates.server
            let other = certificates.directory.appendingPathComponent("authority.key").path
            for files in [
                TLSFiles(certificatePath: good.certificatePath, keyPath: other),
                TLSFiles(certificatePath: "/nowhere.pem", keyPath: good.keyPath),
                TLSFiles(certificatePath: good.keyPath, keyPath: good.keyPath),
            ] {
                var configuration = EmbeddedServerConfiguration()
                configuration.tls = files
                let error = await #expect(throws: EmbeddedServerError.self) {
                    try await withEmbeddedServer(configuration) { _ in }
                }
                #expect(error?.kind == .unusableCertificate)
                #expect(error?.description.contains(files.certificatePath) == true)
            }
        }
    }

    @Test("a key in place of the path of its file is not in the error of the start")
    func keyInPlaceOfPath() async throws {
        let key = "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----"
        for files in [
            TLSFiles(certificatePath: "/nowhere.pem", keyPath: key),
            TLSFiles(certificatePath: key, keyPath: "s3cret\nkey"),
        ] {
            var configuration = EmbeddedServerConfiguration()
            configuration.tls = files
            let error = await #expect(throws: EmbeddedServerError.self) {
                try await withEmbeddedServer(configuration) { _ in }
            }
            #expect(error?.kind == .unusableCertificate && error?.reason.contains("in place of a path") == true)
            #expect(error?.description.contains("s3cret") == false)
        }
    }

    @Test("the temporary files of a certificate are deleted")
    func cleansUp() async throws {
        let directory = try await ThrowawayCertificates.with { certificates in
            #expect(FileManager.default.fileExists(atPath: certificates.server.keyPath))
            return certificates.directory
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    /// Adds a device to the server and returns its id.
    private static func register(_ running: RunningServer) async throws -> String {
        let device = DeviceRecord(
            id: "a08ada7c88e2bd6c966de2c5cdfafe12",
            status: .active,
            description: .object([:]),
            created: 0,
            lastModified: 0
        )
        try await running.middleware.state.store.insert(device, maximum: 1)
        return device.id
    }

    private func key(for device: String, host: String) -> String {
        let secret = MiddlewareSecret.publicExample
        let timestamp = String(Int(Date().timeIntervalSince1970))
        let request = SignedRequest(
            method: "GET",
            scheme: "https",
            hostHeader: host,
            requestTarget: "/demo-auth/v1/todo",
            bodyText: ""
        )
        return device + secret.id + timestamp
            + request.signature(deviceID: device, secret: secret.secret, timestamp: timestamp)
    }
}
