import TestSupport
import Testing
import WireSupport

/// Something that a server does on a connection on which no response is outstanding.
enum IdleEvent: String, CaseIterable, Sendable {
    case secondResponse = "sends a second response"
    /// RFC 9110 §15.5.9.
    case timeoutAndEnd = "sends 408 and ends the connection"
    case timeoutAndStay = "sends 408 and stays"
    case lateBodyOfHead = "sends the body of a response to HEAD"
    case lateBodyOf204 = "sends a body after 204"
    case lineBreak = "sends an empty line"
    /// FIN; over TLS after close_notify.
    case end = "ends the connection in order"
    case cut = "ends TCP without the end of TLS"
    case reset = "resets the connection"

    /// Whether a client may go on with the connection: an empty line before a response does no harm.
    var isHarmless: Bool { self == .lineBreak }

    /// Reads the first request of a connection and responds to it, so that no response is outstanding.
    func begin(on peer: HTTP1Peer) async throws {
        let request = try await peer.readRequest()
        let isEmpty = self == .lateBodyOf204
        try await peer.wire.flush(isEmpty ? "HTTP/1.1 204 No Content\r\n\r\n" : HTTP1Peer.echo(request))
    }

    /// Returns after the system has taken the bytes, or the end.
    func happen(on wire: WirePeer, isSecure: Bool) async throws {
        switch self {
        case .secondResponse: try await wire.flush("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother")
        case .timeoutAndEnd:
            try await wire.flush("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate")
            try await wire.end(isSecure: isSecure)
        case .timeoutAndStay: try await wire.flush("HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\n\r\nlate")
        case .lateBodyOfHead, .lateBodyOf204: try await wire.flush("a body that does not belong here")
        case .lineBreak: try await wire.flush("\r\n")
        case .end: try await wire.end(isSecure: isSecure)
        case .cut: try await wire.cutTLS()
        case .reset: try await wire.reset(isSecure: isSecure)
        }
    }
}

/// An event on an idle connection, and the time from it to the next call.
struct IdleCell: Sendable, CustomTestStringConvertible {
    let event: IdleEvent
    let line: ConnectionLine
    let wait: Duration

    static let all = waits.flatMap { wait in
        ConnectionLine.http1.flatMap { line in
            IdleEvent.allCases.filter { $0 != .cut || line.isSecure }
                .map { Self(event: $0, line: line, wait: wait) }
        }
    }

    /// No time, and more than the loop needs to see what happened. The long ones are beyond libcurl's own look at a
    /// connection, which it takes after a second of idleness.
    private static let waits: [Duration] =
        [.zero, .milliseconds(150)]
        + (ProofLength.duration == nil ? [] : [.milliseconds(600), .milliseconds(1200), .milliseconds(2500)])

    var testDescription: String { "the server \(event.rawValue), \(line.testDescription), after \(wait)" }
}
