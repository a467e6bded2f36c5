#if HTTP2
    import HTTPTypes
    import HeliumCore
    import WireSupport

    @testable import HeliumCurl

    /// The calls and frames of tests with a ``ScriptedDriver`` over HTTP/2.
    enum HTTP2Script {
        /// The number of requests in what was written to a connection of HTTP/2.
        static func requestCount(_ bytes: [UInt8]) -> Int { frameCount(1, bytes) }

        /// The number of frames of a type in what was written to a connection of HTTP/2 (RFC 9113 §4.1).
        static func frameCount(_ type: UInt8, _ bytes: [UInt8]) -> Int {
            var rest = bytes.dropFirst("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
            var count = 0
            while rest.count >= 9 {
                let head = Array(rest.prefix(9))
                if head[3] == type { count += 1 }
                rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
            }
            return count
        }

        /// SETTINGS with a number of streams (RFC 9113 §6.5.2).
        static func settings(streams: UInt8) -> [UInt8] {
            HTTP2Peer.frame(4, payload: [0, 3, 0, 0, 0, streams])
        }

        /// The last part of a response's body (RFC 9113 §6.1).
        static func content(_ stream: UInt32) -> [UInt8] {
            HTTP2Peer.frame(0, flags: 1, stream: stream, payload: [7])
        }

        /// Submits POST requests over HTTP/2 without ALPN.
        static func posts(_ count: Int, _ loop: TransferLoop) throws -> [TransferSlot] {
            let slots = try (0..<count).map { _ in try loop.call(.post) { $0.version = .http2PriorKnowledge } }
            for slot in slots { loop.submit(slot) }
            return slots
        }
    }
#endif
