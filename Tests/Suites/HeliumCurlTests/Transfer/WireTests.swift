import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

@Suite("Requests on the wire", .timeLimit(.minutes(5)))
struct WireTests {
    @Test(
        "the request target is sent unchanged",
        arguments: ["/", "/a/../b", "/./x", "/%7e", "/a%2Fb", "/?", "/x?a=%20&b={}", "/{id}", "/a//b/", "/x?y=/../z"]
    )
    func sendsTarget(target: String) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url + target))
                #expect(response.text == "ok")
                #expect(server.requests.first?.lines.first == "GET \(target) HTTP/1.1")
            }
        }
    }

    @Test("only the given fields, Host and Accept-Encoding are sent")
    func addsNothing() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport { transport in
                let plain = try TransportRequest(to: server.url + "/x")
                _ = try await transport.execute(plain)
                let encoding = try #require(server.requests[0].lines.first { $0.hasPrefix("Accept-Encoding: ") })
                #expect(encoding.contains("gzip") && encoding.contains("deflate"))
                #expect(server.requests[0].lines == ["GET /x HTTP/1.1", "Host: 127.0.0.1:\(server.port)", encoding])

                let fields: HTTPFields = [.userAgent: "helium/1", .accept: "text/plain", .authorization: "Bearer x"]
                _ = try await transport.execute(plain.with { $0.fields = fields })
                #expect(
                    server.requests[1].lines == [
                        "GET /x HTTP/1.1", "Host: 127.0.0.1:\(server.port)", encoding, "User-Agent: helium/1",
                        "Accept: text/plain", "Authorization: Bearer x",
                    ]
                )
                // The slot is used again: nothing of the request before is left.
                _ = try await transport.execute(plain)
                #expect(server.requests[2].head == server.requests[0].head)
            }
        }
    }

    @Test("a long header section is sent whole, line by line", arguments: [1, 40, 100])
    func sendsManyFields(count: Int) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport { transport in
                let lines = (0..<count).map { "x-\($0): \(String(repeating: "v", count: $0 * 7 % 300 + 1))" }
                var request = try TransportRequest(to: server.url + "/x")
                _ = try await transport.execute(request)
                for (index, line) in lines.enumerated() {
                    let name = try #require(HTTPField.Name("x-\(index)"))
                    request.fields.append(HTTPField(name: name, value: String(line.drop { $0 != " " }.dropFirst())))
                }
                for _ in 0..<2 { _ = try await transport.execute(request) }
                let received = server.requests.map { $0.lines.filter { $0.hasPrefix("x-") } }
                #expect(received == [[], lines, lines])
            }
        }
    }

    @Test("a body adds Content-Length and no other field", arguments: [0, 1, 14, 4096, 4097, 2_000_000])
    func addsLength(size: Int) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport { transport in
                let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
                let request = try TransportRequest(.post, to: server.url + "/x").with { $0.body = body }
                _ = try await transport.execute(request)
                let received = try #require(server.requests.first)
                #expect(received.body == body)
                let names = received.lines.dropFirst().map { String($0.prefix { $0 != ":" }) }
                #expect(Set(names) == ["Host", "Accept-Encoding", "Content-Length"])
                #expect(received.lines.first == "POST /x HTTP/1.1")
            }
        }
    }

    @Test(
        "every method is sent with and without a body",
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT"],
        [nil, "{}"]
    )
    func sendsMethod(method: String, body: String?) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            try await withTransport { transport in
                let method = try #require(HTTPRequest.Method(rawValue: method))
                for _ in 0..<2 {
                    let response = try await transport.execute(
                        TransportRequest(method, to: server.url + "/x", body: body)
                    )
                    #expect(response.text == "ok")
                }
                // A different kind of request before and after must not show.
                _ = try await transport.execute(TransportRequest(.head, to: server.url + "/x"))
                _ = try await transport.execute(TransportRequest(method, to: server.url + "/x", body: body))
                #expect(server.requests[3].head == server.requests[0].head)
                let methods = server.requests.map { String($0.lines[0].prefix { $0 != " " }) }
                #expect(methods == [method.rawValue, method.rawValue, "HEAD", method.rawValue])
                let lengths = server.requests[0].lines.filter { $0.hasPrefix("Content-Length") }
                let empty = ["POST", "PUT", "PATCH"].contains(method.rawValue) ? ["Content-Length: 0"] : []
                #expect(lengths == (body.map { ["Content-Length: \($0.utf8.count)"] } ?? empty))
                #expect(!server.requests[0].lines.contains { $0.hasPrefix("Content-Type") || $0.hasPrefix("Expect") })
                #expect(String(decoding: server.requests[3].body, as: UTF8.self) == body ?? "")
            }
        }
    }

    @Test("an empty field value is sent as an empty field")
    func sendsEmptyValue() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport { transport in
                let name = try #require(HTTPField.Name("X-Empty"))
                let request = try TransportRequest(to: server.url).with { $0.fields = [name: ""] }
                _ = try await transport.execute(request)
                #expect(server.requests[0].lines.contains { $0.trimmingCharacters(in: .whitespaces) == "X-Empty:" })
            }
        }
    }

    @Test("a HEAD request with a body is refused before any I/O")
    func refusesHeadBody() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            try await withTransport { transport in
                let failure = try await transport.failure(TransportRequest(.head, to: server.url, body: "x"))
                #expect(failure.kind == .invalidRequest && failure.delivery == .notSent)
                #expect(server.requestCount == 0)
            }
        }
    }

    @Test("a redirect is returned as a response")
    func keepsRedirects() async throws {
        try await FaultServer.run({ _ in [.answer(302, fields: ["Location: /elsewhere"])] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.head.status == 302 && server.requestCount == 1)
            }
        }
    }

    @Test("an IPv6 address is in brackets in the Host field")
    func speaksIPv6() async throws {
        try await FaultServer.run(family: .ipv6, { _ in [.answer(body: "six")] }) { server in
            try await withTransport { transport in
                let response = try await transport.execute(TransportRequest(to: server.url))
                #expect(response.text == "six")
                #expect(server.requests[0].lines[1] == "Host: [::1]:\(server.port)")
            }
        }
    }

    @Test("the Host field has the origin's spelling", arguments: ["127.1", "[0:0:0:0:0:0:0:1]", "localhost"])
    func keepsHost(host: String) async throws {
        try await FaultServer.run(family: host.first == "[" ? .ipv6 : .ipv4, { _ in [.answer()] }) { server in
            try await withTransport { transport in
                _ = try await transport.execute(TransportRequest(to: "http://\(host):\(server.port)/"))
                #expect(server.requests[0].lines.filter { $0.hasPrefix("Host") } == ["Host: \(host):\(server.port)"])
            }
        }
    }
}
