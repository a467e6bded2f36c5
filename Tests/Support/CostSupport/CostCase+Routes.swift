import CosmServer
import FuzzSupport
import HeliumServer
import HeliumWebSocket
import HeliumWebSocketFraming

// Every call of the embedded server. Their number takes minutes, which `make test` does not have: `make cost` measures them.
extension CostCase {
    /// A case for the query of each call, and one for the body of each call that takes one.
    static let routes: [CostCase] = (OfflineServer.appNetCalls + others).flatMap { call in
        let name = "\(call.method) \(call.path)"
        let query = CostCase("\(name)?", slots: [], repeated: ["‹a¤=1&›", "q=‹a+›", "ids=‹¤,›"], quickCount: 0) {
            input in
            await answer(call.method, "\(call.path)?\(String(decoding: input, as: UTF8.self))", body: [])
        }
        guard call.method != "GET", call.method != "DELETE" else { return [query] }
        let bodies = [
            #"{‹"a¤":1,›"text":"a"}"#, #"{"text":"‹a b ›","type":"a.b"}"#, #"[‹{"a":1},›1]"#,
            #"{"text":"a","annotations":[‹{"type":"a.b¤","value":{}},›{}]}"#,
        ]
        let body = CostCase(name, slots: [], repeated: bodies, quickCount: 0) { input in
            await answer(call.method, call.path, body: input)
        }
        return [query, body]
    }

    /// The frames of a WebSocket: one message in many fragments, and bytes that are no frames. The answer to a handshake.
    static let sockets: [CostCase] = [
        CostCase(
            "websocket-frames",
            slots: [],
            repeated: ["\u{1}\u{1}a‹\u{0}\u{1}a›", "\u{1}\u{1}a‹\u{0}\u{0}›", "‹a›"]
        ) { input in
            for side in [FrameSide.client, .server] {
                var reader = FrameReader(for: side, maximumFrameBytes: 1 << 20, maximumMessageBytes: 1 << 20)
                // Byte by byte: a peer chooses its segments.
                try eachByte(of: input) { part, consumed in
                    while try reader.next(part, consumed: &consumed) != nil {}
                }
            }
        },
        CostCase(
            "tcp-objects",
            slots: [#"{"method":"‹›"}"#, "‹›"],
            repeated: ["‹{}›", "‹{›", #"‹{"a":›"#, #"{"a":"‹\\›"}"#, "‹ \n›"]
        ) { input in
            var splitter = ObjectSplitter(maximum: 1 << 20)
            for byte in input { _ = splitter.take(CollectionOfOne(byte)) }
            var whole = ObjectSplitter(maximum: 1 << 20)
            _ = whole.take(input)
        },
        CostCase(
            "websocket-answers",
            slots: ["HTTP/1.1 101 ‹›\r\n\r\n"],
            repeated: [
                "HTTP/1.1 101 x\r\n‹A: b\r\n›\r\n", "HTTP/1.1 101 x\r\nA: ‹b›\r\n\r\n",
                "HTTP/1.1 403 x\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n‹a›", "HTTP/1.1 403 x\r\n\r\n‹a›",
            ]
        ) { input in
            var reader = RawHTTPResponseReader()
            try eachByte(of: input) { part, consumed in _ = try reader.next(part, consumed: &consumed) }
        },
    ]

    /// Passes the input byte by byte to `read`, again with those that it does not consume.
    private static func eachByte(of input: [UInt8], _ read: (RawSpan, inout Int) throws -> Void) throws {
        var unread: [UInt8] = []
        for byte in input {
            unread.append(byte)
            var consumed = 0
            try read(unread.span.bytes, &consumed)
            unread.removeFirst(consumed)
        }
    }

    static let others: [(method: String, path: String)] =
        ["", "/1"].flatMap { end in
            ["/demo-auth/v1/devices", "/demo-auth/v1/todo", "/v2/feeds", "/v2/triggers", "/v2/keys", "/v2/users"]
                .flatMap { path in ["GET", "POST", "PUT", "DELETE"].map { ($0, path + end) } }
        }
        + [("GET", "/data/"), ("POST", "/data/")]
        + ["", "/a", "/a/datapoints", "/a/datapoints/2013-02-01T09:00:02Z"].flatMap { end in
            ["GET", "POST", "PUT", "DELETE"].map { ($0, "/v2/feeds/1/datastreams" + end) }
        }

    private static func answer(_ method: String, _ target: String, body: [UInt8]) async {
        guard let offline else { return }
        let fields = fields(offline) + [("Content-Type", "application/json")]
        await offline.answer(method, target, fields: fields, body: body)
    }
}
