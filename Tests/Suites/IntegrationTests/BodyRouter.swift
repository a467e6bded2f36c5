import Foundation
import HTTPTypes
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Synchronization

/// A Hummingbird server for bodies in both directions, in clear text over HTTP/1.1 or with TLS and HTTP/2.
struct BodyRouter {
    let url: URL
    let certificateAuthorityFile: String?

    static func with<Value: Sendable>(
        http2: Bool,
        _ body: @escaping @Sendable (BodyRouter) async throws -> Value
    ) async throws -> Value {
        guard http2 else {
            let server = HTTPServerBuilder { LateSetup(HTTP1Channel(responder: $0)) }
            return try await run(server, scheme: "http", authority: nil, body)
        }
        return try await ThrowawayCertificates.with { certificates in
            let tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.server.certificatePath)
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.server.keyPath, format: .pem))
            )
            let server = HTTPServerBuilder {
                LateSetup(try HTTP2UpgradeChannel(tlsConfiguration: tls, responder: $0))
            }
            return try await run(server, scheme: "https", authority: certificates.authorityPath, body)
        }
    }

    /// A client of this server that would use HTTP/2 for bodies too, where it is there.
    func withHelium<Value: Sendable>(_ body: (Helium) async throws -> Value) async throws -> Value {
        var connection = CurlTransport.Configuration()
        connection.certificateAuthorityFile = certificateAuthorityFile
        var options = ClientOptions()
        options.streamHTTPVersion = .automatic
        let helium = try Helium(baseURL: url, options: options, connection: connection)
        do {
            let value = try await body(helium)
            await helium.close()
            return value
        } catch {
            await helium.close()
            throw error
        }
    }

    private static func run<Value: Sendable>(
        _ server: HTTPServerBuilder,
        scheme: String,
        authority: String?,
        _ body: @escaping @Sendable (BodyRouter) async throws -> Value
    ) async throws -> Value {
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let service = try server.buildServer(
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "bodies", factory: { _ in SwiftLogNoOpLogHandler() }),
            responder: { request, writer, _ in
                let response = try await respond(to: request)
                try await writer.write(response: response.head, body: response.body)
            },
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) }
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await service.run()
                return nil
            }
            group.addTask {
                for await port in ports {
                    guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)") else { break }
                    return try await body(BodyRouter(url: url, certificateAuthorityFile: authority))
                }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    /// Bytes that differ from place to place.
    static func pattern(_ count: Int, at offset: Int = 0) -> Data {
        Data((offset..<(offset + count)).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ $0 >> 8) })
    }

    private static func respond(to request: Request) async throws -> Response {
        switch (request.method, request.uri.path) {
        case (.put, "/count"):
            var count = 0
            for try await chunk in request.body { count += chunk.readableBytes }
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(count)"))
            )
        case (.post, "/echo"):
            return Response(
                status: .ok,
                headers: [.contentType: request.headers[.contentType] ?? ""],
                body: ResponseBody(asyncSequence: request.body)
            )
        case (.put, "/refuse"):
            return Response(status: .contentTooLarge)
        case (.get, "/zeros"):
            let count = request.uri.queryParameters["count"].flatMap { Int($0) } ?? 0
            return Response(
                status: .ok,
                body: ResponseBody(contentLength: count) { writer in
                    var left = count
                    let block = ByteBuffer(repeating: 0, count: 64 << 10)
                    while left > 0 {
                        try await writer.write(block.getSlice(at: 0, length: min(left, 64 << 10)) ?? block)
                        left -= 64 << 10
                    }
                    try await writer.finish(nil)
                }
            )
        default:
            return Response(status: .notFound)
        }
    }
}
