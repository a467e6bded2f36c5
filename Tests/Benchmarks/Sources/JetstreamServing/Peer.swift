import Foundation
import HeliumJSON
import HeliumWebSocket
import JetstreamCore

/// A client that knows the protocol's messages and keeps no tree.
struct Peer {
    private let socket: WebSocket
    private let codec = JetstreamCodec()
    let root: UUID

    /// Makes a session and fetches the scope.
    init(url: URL, scope: String) async throws {
        socket = try await WebSocket.connect(to: url)
        try await socket.send(.text(codec.text(of: .sessionCreate(.init()))))
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        try await socket.send(.text(codec.text(of: .scopeFetch(.init(index: 1, name: scope)))))
        while let message = try await messages.next() {
            for case .scopeState(let state) in try codec.messages(in: message.bytes) {
                root = state.rootUUID
                return
            }
        }
        throw ServingError(description: "no state came")
    }

    /// Connects to a server that only passes frames on.
    init(bare url: URL) async throws {
        socket = try await WebSocket.connect(to: url)
        root = UUID()
    }

    /// Sends changes of the root, one a frame and at most `window` of them without a reply.
    func write(_ count: Int, from first: Int, window: Int) async throws {
        var messages = socket.messages.makeAsyncIterator()
        var sent = 0
        var replies = 0
        while replies < count {
            while sent < count, sent - replies < window {
                try await socket.send(.text(text(ofChange: first + sent)))
                sent += 1
            }
            replies += try await next(&messages, of: Self.reply)
        }
        try await acknowledge(replies + first)
    }

    /// Reads changes and acknowledges every 100th, as a client does.
    func read(_ count: Int, from first: Int) async throws {
        var messages = socket.messages.makeAsyncIterator()
        var read = 0
        var acknowledged = 0
        while read < count {
            read += try await next(&messages, of: Self.sync)
            if read - acknowledged >= 100 {
                acknowledged = read
                try await acknowledge(first + read)
            }
        }
        guard read == count else { throw ServingError(description: "\(read) of \(count) changes came") }
        try await acknowledge(first + read)
    }

    func close() async { await socket.close() }

    /// The frame of a change, whose name is as long as any other's.
    private func text(ofChange number: Int) -> String {
        let fragment = SyncFragment(
            .change,
            uuid: root,
            className: "Node",
            properties: ["name": .string("Node \(number + 1_000_000)"), "x": .number(.init(number))]
        )
        return codec.text(of: .scopeSync(.init(index: number + 2, scopeIndex: 0, fragments: [fragment])))
    }

    private func acknowledge(_ index: Int) async throws {
        try await socket.send(.text(codec.text(of: .ping(.init(ack: index + 2)))))
    }

    private static let reply = Data(#""ScopeSyncReply""#.utf8)
    private static let sync = Data(#""ScopeSync""#.utf8)

    /// Returns the number of times that the next frame names a message type. Parsing the frame ten times would hide the
    /// cost of the server.
    private func next(_ messages: inout WebSocket.Messages.AsyncIterator, of type: Data) async throws -> Int {
        guard let bytes = try await messages.next()?.bytes else { throw ServingError(description: "the server closed") }
        var count = 0
        var rest = bytes[...]
        while let found = rest.range(of: type) {
            count += 1
            rest = rest[found.upperBound...]
        }
        return count
    }
}

extension WebSocketMessage {
    fileprivate var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

/// The error of serving frames.
struct ServingError: Error, CustomStringConvertible {
    var description: String
}
