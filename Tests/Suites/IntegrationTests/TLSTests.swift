import CLibcurl
import Foundation
import HTTPTypes
import HeliumKit
import HeliumServer
import HeliumServerTesting
import NIOCore
import NIOPosix
import NIOSSL
import Testing
import WireSupport

@testable import HeliumCurl

/// Tests of the transport's TLS: the trusted authorities, and the end of a connection.
@Suite("TLS over sockets", .timeLimit(.minutes(5)))
struct TLSTests {
    /// Runs `body` with a server that answers each request with a body that only the connection's end ends.
    private func withServer(
        of certificates: ThrowawayCertificates,
        version: TLSVersion? = nil,
        _ body: (WireServer) async throws -> Void
    ) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.server.certificatePath)
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.server.keyPath, format: .pem))
        )
        configuration.maximumTLSVersion = version
        try await WireServer.run(tls: try NIOSSLContext(configuration: configuration)) { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 200 OK\r\n\r\nhello")
        } _: { server async throws in
            try await body(server)
        }
    }

    private func get(
        _ port: Int,
        file: String? = nil,
        directory: String? = nil,
        isStream: Bool = false
    ) async throws(TransportFailure) -> Data {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = file
        configuration.certificateAuthorityDirectory = directory
        let transport = CurlTransport(configuration)
        let result: Result<Data, TransportFailure>
        do {
            var request = TransportRequest(method: .get, url: try RequestURL("https://localhost:\(port)/"))
            if isStream { request.responseBody = .stream }
            let response = try await transport.execute(request)
            switch response.body {
            case .collected(let data): result = .success(data)
            case .stream(let stream): result = .success(try await stream.collect(upTo: 1000))
            }
        } catch {
            let other = TransportFailure(.transportFailed, delivery: .notSent, message: "\(error)")
            result = .failure(error as? TransportFailure ?? other)
        }
        await transport.shutdown()
        return try result.get()
    }

    @Test("only the given certificate authorities are trusted, in a file, in a folder, or in both")
    func authorities() async throws {
        try await ThrowawayCertificates.with { own in
            try await ThrowawayCertificates.with { foreign in
                try await withServer(of: own) { server in
                    let choices: [(file: String?, directory: String?, isTrusted: Bool)] = [
                        (own.authorityPath, nil, true), (nil, own.authorityDirectoryPath, true),
                        (foreign.authorityPath, nil, false), (nil, foreign.authorityDirectoryPath, false),
                        (own.authorityPath, foreign.authorityDirectoryPath, true),
                        (foreign.authorityPath, own.authorityDirectoryPath, true), (nil, nil, false),
                    ]
                    for (file, directory, isTrusted) in choices {
                        let names = "\(file ?? "no file"), \(directory ?? "no folder")"
                        do throws(TransportFailure) {
                            let body = try await get(server.port, file: file, directory: directory)
                            #expect(isTrusted && body == Data("hello".utf8), "\(names)")
                        } catch {
                            #expect(!isTrusted && error.kind == .tlsFailed && error.delivery == .notSent, "\(names)")
                        }
                    }
                }
            }
        }
    }

    /// The outcome of a transfer of libcurl's, which trusts a file or a folder by default, with the options for given
    /// authorities.
    private func outcome(
        _ port: Int,
        _ defaults: (option: CURLoption, path: String),
        _ configuration: CurlTransport.Configuration
    ) async -> CURLcode {
        _ = Library.isReady
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                guard let easy = curl_easy_init() else { return continuation.resume(returning: CURLE_FAILED_INIT) }
                _ = helium_easy_set_string(easy, CURLOPT_URL, "https://localhost:\(port)/")
                _ = helium_easy_set_string(easy, CURLOPT_PROXY, "")
                _ = helium_easy_set_long(easy, CURLOPT_NOBODY, 1)
                _ = helium_easy_set_long(easy, CURLOPT_NOSIGNAL, 1)
                // Those of the system must not count.
                _ = helium_easy_set_string(easy, CURLOPT_CAINFO, nil)
                _ = helium_easy_set_string(easy, CURLOPT_CAPATH, nil)
                _ = helium_easy_set_string(easy, defaults.option, defaults.path)
                for given in ChannelTLS(configuration).authorities {
                    _ = helium_easy_set_string(easy, given.option, given.path)
                }
                let code = curl_easy_perform(easy)
                curl_easy_cleanup(easy)
                continuation.resume(returning: code)
            }
        }
    }

    @Test("libcurl's default authorities are not trusted if others are given")
    func defaults() async throws {
        try await ThrowawayCertificates.with { own in
            try await ThrowawayCertificates.with { foreign in
                try await withServer(of: own) { server in
                    let none = CurlTransport.Configuration()
                    var (file, directory) = (none, none)
                    file.certificateAuthorityFile = foreign.authorityPath
                    directory.certificateAuthorityDirectory = foreign.authorityDirectoryPath
                    for defaults in [
                        (CURLOPT_CAINFO, own.authorityPath), (CURLOPT_CAPATH, own.authorityDirectoryPath),
                    ] {
                        #expect(await outcome(server.port, defaults, none) == CURLE_OK)
                        for given in [file, directory] {
                            #expect(await outcome(server.port, defaults, given) == CURLE_PEER_FAILED_VERIFICATION)
                        }
                    }
                }
            }
        }
    }

    @Test("a body without a length over TLS is complete only after close_notify", arguments: [2, 3])
    func cut(minor: Int) async throws {
        try await ThrowawayCertificates.with { certificates in
            try await withServer(of: certificates, version: minor == 2 ? .tlsv12 : nil) { server in
                let port = server.port
                try await WireServer.run { peer in
                    try await peer.spliceWithoutAlerts(to: port)
                } _: { cutting async throws in
                    for isStream in [false, true] {
                        let body = try await get(port, file: certificates.authorityPath, isStream: isStream)
                        #expect(body == Data("hello".utf8))
                        do throws(TransportFailure) {
                            _ = try await get(cutting.port, file: certificates.authorityPath, isStream: isStream)
                            Issue.record("a body that was cut is taken for a whole one, stream: \(isStream)")
                        } catch {
                            #expect(error.kind == .malformedResponse && error.delivery == .answered, "\(error)")
                        }
                    }
                }
            }
        }
    }
}

extension WirePeer {
    /// Carries bytes between the client and a port of 127.0.0.1, and cuts the connection in the place of the first alert of
    /// TLS that comes from there.
    fileprivate func spliceWithoutAlerts(to port: Int) async throws {
        let target = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let (client, back) = (channel, writer)
        try await target.executeThenClose { answers, questions in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var unread = ByteBuffer()
                    for try await var part in answers {
                        unread.writeBuffer(&part)
                        // A record: its type, its version, its length, its bytes (RFC 8446 section 5.1).
                        while let length = unread.getInteger(at: unread.readerIndex + 3, as: UInt16.self),
                            let record = unread.readSlice(length: 5 + Int(length))
                        {
                            let type = record.getInteger(at: record.readerIndex, as: UInt8.self)
                            // TLS 1.3 hides the type: an alert is two bytes, the type's and 16 of the cipher's.
                            guard type != 21, type != 23 || length != 19 else { return try await client.close().get() }
                            try await back.write(record)
                        }
                    }
                    try await client.close().get()
                }
                // The client's end is the end of both, whatever the service still sends.
                while let part = try? await readSome() { try await questions.write(ByteBuffer(bytes: part)) }
                group.cancelAll()
            }
        }
    }
}
