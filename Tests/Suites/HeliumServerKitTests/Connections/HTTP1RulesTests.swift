import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HeliumServerKit

@Suite("Rules of HTTP/1 for connections")
struct HTTP1RulesTests {
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 128)

    @Test(
        "a request with a long run of combining marks gets 400 before another handler compares its fields",
        arguments: [("/", "Connection", marks), ("/", "X", marks), ("/\(marks)", "X", "a")]
    )
    func refusal(target: String, name: String, value: String) throws {
        let channel = EmbeddedChannel(handler: HTTP1Rules())
        let fields = HTTPHeaders([("Host", "a"), (name, value)])
        try channel.writeInbound(
            HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: fields))
        )
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        guard case .head(let answer) = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
            Issue.record("no response was written")
            return
        }
        #expect(answer.status == .badRequest && answer.headers["Connection"] == ["close"])
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a request with few combining marks is passed on")
    func fewMarks() throws {
        let channel = EmbeddedChannel(handler: HTTP1Rules())
        let fields = HTTPHeaders([("Host", "a"), ("X", "a" + String(repeating: "\u{301}", count: 255))])
        try channel.writeInbound(
            HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields))
        )
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) != nil)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test("the last response of a server that stops closes the connection, and later requests are not read")
    func stop() throws {
        let channel = EmbeddedChannel(handler: HTTP1Rules())
        let fields = HTTPHeaders([("Host", "a")])
        let request = HTTPServerRequestPart.head(
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
        )
        let response = HTTPServerResponsePart.head(HTTPResponseHead(version: .http1_1, status: .ok))
        try channel.writeInbound(request)
        try channel.writeInbound(request)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        var options: [[String]] = []
        for _ in 0..<2 {
            try channel.writeOutbound(response)
            guard case .head(let head) = try channel.readOutbound(as: HTTPServerResponsePart.self) else { break }
            options.append(head.headers["Connection"])
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            _ = try channel.readOutbound(as: HTTPServerResponsePart.self)
        }
        #expect(options == [[], ["close"]])
        for _ in 0..<2 { _ = try channel.readInbound(as: HTTPServerRequestPart.self) }
        try channel.writeInbound(request)
        #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        #expect(try channel.readOutbound(as: HTTPServerResponsePart.self) == nil)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
