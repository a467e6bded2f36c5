internal import HeliumJSON

/// A message of the server (Docs/Protocols/Jetstream.md §1.3). Messages for several sessions share their body, whose
/// bytes are stored once.
package struct ServerMessage: Hashable, Sendable {
    /// The type of the message on the wire.
    package enum Kind: String, Sendable {
        case sessionCreateReply = "SessionCreateReply"
        case scopeFetchReply = "ScopeFetchReply"
        case scopeState = "ScopeState"
        case scopeSync = "ScopeSync"
        case scopeSyncReply = "ScopeSyncReply"
        case ping = "Ping"
    }

    package let kind: Kind
    /// The index; 0 for messages outside the sequence.
    var index = 0
    /// The index of the scope in a state or sync, or the index of the request in a reply.
    package var number: Int?
    /// The other members, without braces.
    package let body: Body

    /// The bytes of a body, and the number that identifies it in the store.
    package struct Body: Hashable, Sendable {
        var number = 0
        package let bytes: [UInt8]
    }

    /// The cost of retaining the message, in bytes.
    var cost: Int { body.bytes.count + 64 }

    /// Whether messages for several sessions may have the body.
    var isShared: Bool { body.number > 0 }

    /// The cost of retaining the message in addition to a shared body, in bytes.
    var ownCost: Int { isShared ? 64 : cost }

    func write(to bytes: inout [UInt8]) {
        bytes += "{\"type\":\"\(kind.rawValue)\",\"index\":\(index),".utf8
        if let number {
            bytes += "\"\(kind.isReply ? "replyTo" : "scopeIndex")\":\(number),".utf8
        }
        bytes += body.bytes
        bytes.append(UInt8(ascii: "}"))
    }
}

extension ServerMessage.Kind {
    fileprivate var isReply: Bool { self == .scopeFetchReply || self == .scopeSyncReply }
}

extension ServerMessage {
    init(_ kind: Kind, number: Int? = nil, _ body: String) {
        self.init(kind: kind, number: number, body: Body(bytes: Array(body.utf8)))
    }

    static func ping(ack: Int, resendMissing: Bool) -> ServerMessage {
        ServerMessage(.ping, "\"ack\":\(ack),\"resendMissing\":\(resendMissing)")
    }

    static func error(_ kind: Kind, number: Int? = nil, _ refusal: JetstreamRefusal) -> ServerMessage {
        ServerMessage(kind, number: number, "\"error\":\(JSONValue.object(refusal.object).text())")
    }

    static func replies(to index: Int, _ refusals: [JetstreamRefusal?]) -> ServerMessage {
        var text = "\"fragmentReplies\":["
        for (position, refusal) in refusals.enumerated() {
            if position > 0 { text += "," }
            text += refusal.map { "{\"error\":\(JSONValue.object($0.object).text())}" } ?? "{}"
        }
        return ServerMessage(.scopeSyncReply, number: index, text + "]")
    }
}

/// A frame of the server, which is always an array of messages.
package struct ServerFrame: Hashable, Sendable {
    var messages: [ServerMessage]

    /// The JSON text of the frame.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(messages.reduce(2) { $0 + $1.cost + 32 })
        bytes.append(UInt8(ascii: "["))
        for (position, message) in messages.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            message.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}
