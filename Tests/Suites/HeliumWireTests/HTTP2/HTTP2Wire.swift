import HeliumBytes
import HeliumWire
import Testing

/// A session and the server's end of its connection.
final class HTTP2Wire {
    let session: HTTP2Session
    var now: UInt64 = 0
    /// Whether the session gets its bytes one by one.
    var isSlow = false
    var output = ByteQueue()
    private var hasPreface = false

    init(_ settings: HTTP2Settings = HTTP2Settings(), begins: Bool = true) throws {
        session = try #require(HTTP2Session(settings))
        guard begins else { return }
        #expect(send(.settings()) == nil)
        _ = written()
        #expect(send(.settingsAcknowledgement) == nil)
    }

    /// Sends frames to the session.
    @discardableResult
    func send(_ frames: HTTP2Frame...) -> HTTP2Fault? { send(frames.flatMap(\.bytes)) }

    func send(_ bytes: [UInt8]) -> HTTP2Fault? {
        guard isSlow else { return bytes.withUnsafeBytes { session.receive($0, now: now) } }
        var fault: HTTP2Fault?
        for byte in bytes { fault = withUnsafeBytes(of: byte) { session.receive($0, now: now) } }
        return fault
    }

    /// The frames that the session has to write.
    func written(upTo limit: Int = .max) -> [HTTP2Frame] {
        session.write(into: &output, upTo: limit)
        var bytes = output.bytes
        output.removeAll()
        if !hasPreface {
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            #expect(bytes.starts(with: preface))
            bytes.removeFirst(preface.count)
            hasPreface = true
        }
        return HTTP2Frame.all(in: bytes)
    }

    /// Submits a request, and writes it.
    func request(_ probe: HTTP2Probe, method: String = "GET", body: RequestHead.Body = .none) throws -> Int32 {
        let head = RequestHead(method: method, authority: "a.example", target: "/", body: body)
        let stream = session.submit(head, for: probe)
        _ = written()
        return try #require(stream)
    }
}
