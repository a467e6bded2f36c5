internal import HeliumCore
internal import HeliumWire

extension FuzzTarget {
    static let http1Responses = FuzzTarget(
        "http1-responses",
        examples: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nHTTP/1.0 200 \r\n\r\nabc",
            "HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n"
                + "0\r\nA: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\nConnection: close\r\n\r\na\r\n0123456789\r\n00\r\n\r\n",
            "HTTP/1.0 200 OK\nConnection: keep-alive\nContent-Length: 2, 2\n\nokHTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 103 Hints\r\nLink: <a>,\r\n\t<b>\r\n\r\nHTTP/1.1 404 No\r\nKeep-Alive: timeout=5\r\n\r\nuntil the end",
        ],
        pieces: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.0 ", "HTTP/1.1 103 \r\n\r\n", "Content-Length: ", "Content-Length: 1\r\n",
            "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: identity\r\n", "Connection: close\r\n",
            "Connection: keep-alive\r\n", "\r\n\r\n", "\r\n", "\n", "\r", "\0", " ", "\t", ":", ",", ";", "0\r\n\r\n",
            "1\r\nx\r\n", "3", "f", "A: b\r\n", "A : b\r\n", " c\r\n", "chunked", "7fffffffffffffff\r\n",
            "8000000000000000\r\n", String(repeating: "x", count: 100), "Transfer-Encoding: chunked\r\n\r\n",
            "0;\0", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        ],
        check: HTTP1Fuzz.responses
    )
}

/// Reads bytes as the responses of one connection.
package enum HTTP1Fuzz {
    private static let methods = ["GET", "GET", "HEAD", "POST", "CONNECT", "GET"]
    static let limits: ResponseLimits = {
        var limits = ResponseLimits()
        limits.headerBytes = 256
        limits.headerCount = 8
        return limits
    }()

    /// Checks that the reader gives the same events wherever the bytes are cut, and finds the responses that a simple
    /// reader finds, which has all bytes at once.
    package static func responses(_ bytes: [UInt8]) throws {
        let whole = try events(of: bytes, cuts: [])
        guard try events(of: bytes, cuts: Array(0...bytes.count)) == whole else {
            throw FuzzFinding("byte by byte, other events of \(bytes)")
        }
        // One input of eight is cut everywhere.
        let isThorough = bytes.reduce(0, &+) & 7 == 0
        for cut in stride(from: 0, through: bytes.count, by: isThorough ? 1 : max(1, bytes.count / 6)) {
            guard try events(of: bytes, cuts: [cut]) == whole else {
                throw FuzzFinding("cut at \(cut), other events of \(bytes)")
            }
        }
        var reader = SimpleReader(bytes)
        let expected = reader.responses(to: methods)
        guard whole.responses == expected else {
            throw FuzzFinding("\(whole.responses), expected \(expected), of \(bytes)")
        }
    }

    private struct Events: Equatable {
        /// The events, with the data of a body as one.
        var all: [String] = []
        /// The responses as ``SimpleReader`` describes them.
        var responses: [String] = []
    }

    private static func events(of bytes: [UInt8], cuts: [Int]) throws -> Events {
        var events = Events()
        var reader = HTTP1Reader()
        let head = HeadParser()
        var index = 0
        var response = SimpleReader.Response()
        func begin() {
            head.reset(limits: limits)
            reader.begin(ResponseContext(method: methods[index]), head: head)
            response = SimpleReader.Response()
        }
        func end(_ end: String) {
            events.responses.append(response.description(end))
            events.all.append("\(response.body) \(end)")
        }
        begin()
        var start = 0
        for cut in cuts + [bytes.count] {
            let isOver = try bytes[start..<cut].withUnsafeBytes { piece in
                var position = 0
                while true {
                    let before = position
                    let event = reader.read(piece, from: &position)
                    guard before...piece.count ~= position else { throw FuzzFinding("a position outside of the bytes") }
                    switch event {
                    case .needsBytes:
                        guard position == piece.count else { throw FuzzFinding("bytes were not taken") }
                        return false
                    case .interim(let status): events.all.append("interim \(status)")
                    case .status: events.all.append("status \(head.status)")
                    case .head:
                        response.status = head.status
                        response.section = head.section
                        events.all.append("head")
                    case .body(let data):
                        guard !data.isEmpty, reader.isMidway else { throw FuzzFinding("no data is a body") }
                        response.body += data
                    case .end(let isReusable):
                        end(isReusable ? "reusable" : "end")
                        index += 1
                        if index == methods.count { return true }
                        begin()
                    case .fault(let fault):
                        events.all.append(fault.failure.message)
                        end("fault")
                        return true
                    }
                }
            }
            start = cut
            if isOver { return events }
        }
        switch reader.end(isOrderly: false, isSecure: false) {
        case .end: end("end")
        case .lost: end("lost")
        case .fault: throw FuzzFinding("an end in clear text is a fault")
        }
        return events
    }
}
