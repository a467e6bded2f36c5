import Foundation
import HeliumCore
import HeliumServer
import HeliumServerTesting
import HeliumWebSocket
import NIOSSL
import Testing
import WireSupport

@Suite("WebSockets over TLS and through proxies", .timeLimit(.minutes(5)))
struct SecureTests {
    private func options(trusting certificates: ThrowawayCertificates) -> WebSocketOptions {
        var options = WebSocketOptions.quiet
        options.tls.certificateAuthorityFile = certificates.authorityPath
        return options
    }

    @Test(
        "a WebSocket over TLS accepts a name and an address of the certificate",
        arguments: ["localhost", "127.0.0.1"]
    )
    func trusted(host: String) async throws {
        try await withTLSServer { server, certificates async throws in
            let url = server.url("wss://\(host):\(server.port)/")
            let socket = try await WebSocket.connect(to: url, options: options(trusting: certificates))
            var iterator = socket.messages.makeAsyncIterator()
            #expect(try await iterator.next() == .text("hello"))
            #expect(await socket.close().wasClean)
        }
    }

    @Test("a WebSocket refuses an untrusted certificate")
    func untrusted() async throws {
        try await withTLSServer { server, _ async throws in
            let url = server.url("wss://localhost:\(server.port)/")
            let error = try await failure { try await WebSocket.connect(to: url) }
            #expect(error.kind == .tlsFailed && error.delivery == .notSent, "\(error)")
        }
    }

    @Test("a WebSocket keeps a refusal over TLS whose connection ends without notice")
    func cutRefusal() async throws {
        try await withTLSServer { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 403 Forbidden\r\n\r\nno")
            try await peer.cutTLS()
        } _: { server, certificates async throws in
            let url = server.url("wss://localhost:\(server.port)/")
            let options = options(trusting: certificates)
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .unacceptableStatus && error.status == 403, "\(error)")
        }
    }

    @Test("a WebSocket whose TLS connection ends without notice or response may have been requested")
    func cutRequest() async throws {
        try await withTLSServer { peer in
            _ = try await peer.readHead()
            try await peer.cutTLS()
        } _: { server, certificates async throws in
            let url = server.url("wss://localhost:\(server.port)/")
            let options = options(trusting: certificates)
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .connectionFailed && error.delivery == .maybeSent, "\(error)")
        }
    }

    @Test("a WebSocket trusts only the given authorities, in a file, in a folder, or in both")
    func authorities() async throws {
        try await ThrowawayCertificates.with { other in
            try await withTLSServer { server, certificates async throws in
                let (own, foreign) = (certificates, other)
                let choices: [(file: String?, directory: String?, isTrusted: Bool)] = [
                    (own.authorityPath, nil, true), (nil, own.authorityDirectoryPath, true),
                    (foreign.authorityPath, nil, false), (nil, foreign.authorityDirectoryPath, false),
                    (own.authorityPath, foreign.authorityDirectoryPath, true),
                    (foreign.authorityPath, own.authorityDirectoryPath, true),
                ]
                for choice in choices {
                    var options = WebSocketOptions.quiet
                    options.tls.certificateAuthorityFile = choice.file
                    options.tls.certificateAuthorityDirectory = choice.directory
                    let url = server.url("wss://localhost:\(server.port)/")
                    if choice.isTrusted {
                        let socket = try await WebSocket.connect(to: url, options: options)
                        #expect(await socket.close().wasClean, "\(choice)")
                    } else {
                        let error = try await failure { try await WebSocket.connect(to: url, options: options) }
                        #expect(error.kind == .tlsFailed, "\(choice)")
                    }
                }
            }
        }
    }

    @Test("a WebSocket refuses a certificate of another name")
    func wrongName() async throws {
        try await withTLSServer { server, certificates async throws in
            let url = server.url("wss://127.0.0.2:\(server.port)/")
            let options = options(trusting: certificates)
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            // Connections to that address may be refused. If the system allows them, the certificate is rejected.
            #expect(error.kind == .tlsFailed || error.kind == .connectionFailed)
        }
    }

    @Test("a WebSocket refuses TLS older than 1.2")
    func oldVersion() async throws {
        try await withTLSServer(versions: (.tlsv1, .tlsv11)) { server, certificates async throws in
            let url = server.url("wss://localhost:\(server.port)/")
            let options = options(trusting: certificates)
            #expect(try await failure { try await WebSocket.connect(to: url, options: options) }.kind == .tlsFailed)
        }
    }

    @Test("unreadable authorities of a WebSocket are an error")
    func missingAuthorities() async throws {
        var options = WebSocketOptions()
        options.tls.certificateAuthorityFile = "/nowhere/authority.pem"
        // They are read when TLS begins, so there must be a server.
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { [options] server async throws in
            let url = server.url("wss://localhost:\(server.port)/")
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .invalidConfiguration && error.delivery == .notSent, "\(error)")
        }
    }

    @Test("a WebSocket connects through a proxy with the credentials of its URL", arguments: [true, false])
    func proxied(isSecure: Bool) async throws {
        let head = Box<String>()
        try await withTLSServer { target, certificates async throws in
            try await WireServer.run { peer in
                head.set(try await peer.readHead())
                // The tunnel ends here: the proxy plays the server, in clear text.
                try await peer.write("HTTP/1.1 200 Connection established\r\n\r\n")
                if isSecure {
                    _ = try await peer.read(5)
                    try await peer.write("no TLS at all\r\n")
                    try await peer.readToEnd()
                } else {
                    try await peer.upgrade()
                    try await peer.answerClose()
                }
            } _: { proxy async throws in
                var options = options(trusting: certificates)
                options.proxy = .http(proxy.url("http://ann:secretpassword@127.0.0.1:\(proxy.port)"))
                let url = target.url("\(isSecure ? "wss" : "ws")://far.test:8443/")
                if isSecure {
                    // What answers is no TLS.
                    let error = try await failure { try await WebSocket.connect(to: url, options: options) }
                    #expect(error.kind == .tlsFailed)
                    #expect(!"\(error)".contains("secretpassword"))
                } else {
                    let socket = try await WebSocket.connect(to: url, options: options)
                    #expect(await socket.close().wasClean)
                }
            }
        }
        let text = try #require(head.value)
        #expect(text.hasPrefix("CONNECT far.test:8443 HTTP/1.1\r\n"))
        let credentials = Data("ann:secretpassword".utf8).base64EncodedString()
        #expect(WirePeer.field("Proxy-Authorization", in: text) == "Basic \(credentials)")
    }

    @Test("a WebSocket through a proxy does TLS with the server")
    func tunnel() async throws {
        try await withTLSServer { target, certificates async throws in
            let targetPort = target.port
            try await Tunnel.run(to: targetPort) { proxy in
                var options = options(trusting: certificates)
                options.proxy = .http(proxy.url("http://127.0.0.1:\(proxy.port)"))
                let socket = try await WebSocket.connect(
                    to: target.url("wss://localhost:\(targetPort)/"),
                    options: options
                )
                var iterator = socket.messages.makeAsyncIterator()
                #expect(try await iterator.next() == .text("hello"))
                #expect(await socket.close().wasClean)
            }
        }
    }

    @Test("a refusal of a proxy is an error with its status")
    func proxyRefuses() async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 2\r\n\r\nno")
            try await peer.readToEnd()
        } _: { proxy async throws in
            var options = WebSocketOptions.quiet
            options.proxy = .environment(["http_proxy": "http://ann:hunter2@127.0.0.1:\(proxy.port)"])
            let url = proxy.url("ws://far.test/")
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .unacceptableStatus && error.status == 407 && error.message.contains("proxy"))
            #expect(!"\(error)".contains("hunter2"))
        }
    }

    @Test("a WebSocket refuses a proxy that sends bytes after its response")
    func talkativeProxy() async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n")
            try await peer.readToEnd()
        } _: { proxy async throws in
            var options = WebSocketOptions.quiet
            options.proxy = .http(proxy.url("http://127.0.0.1:\(proxy.port)"))
            let url = proxy.url("ws://far.test/")
            let error = try await failure { try await WebSocket.connect(to: url, options: options) }
            #expect(error.kind == .malformedResponse)
            await proxy.waitForEnds()
        }
    }

    @Test("a WebSocket through a proxy to an address verifies the address in the certificate")
    func proxiedAddress() async throws {
        try await withTLSServer { target, certificates async throws in
            try await Tunnel.run(to: target.port) { proxy in
                var options = options(trusting: certificates)
                options.proxy = .http(proxy.url("http://127.0.0.1:\(proxy.port)"))
                let socket = try await WebSocket.connect(to: target.url("wss://127.0.0.1:8443/"), options: options)
                #expect(await socket.close().wasClean)
                // The tunnel leads to the same server, whose certificate has only one address.
                let other = target.url("wss://127.0.0.2:8443/")
                let error = try await failure { try await WebSocket.connect(to: other, options: options) }
                #expect(error.kind == .tlsFailed && error.delivery == .notSent, "\(error)")
            }
        }
    }
}

/// A proxy that does what CONNECT asks for.
private enum Tunnel {
    static func run(to port: Int, _ body: (WireServer) async throws -> Void) async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write("HTTP/1.1 200 OK\r\n\r\n")
            try await peer.splice(to: port)
        } _: {
            try await body($0)
        }
    }
}
