internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumWebSocket

/// An open connection of a stream.
enum StreamConnection: Sendable {
    /// Each message is a frame.
    case socket(WebSocket)
    /// Frames end with CR LF (§2.13).
    case answer(HeliumStream)

    /// The connection's id, where the answer's head has it (§2.14).
    var announcedID: String? {
        if case .answer(let answer) = self { answer.head[.connectionID] } else { nil }
    }

    /// Says something, for services that expect a sign of life.
    func sendSignOfLife() async throws {
        if case .socket(let socket) = self { try await socket.send(.text("{}")) }
    }

    func end() async {
        switch self {
        case .socket(let socket): await socket.close()
        case .answer(let answer): answer.body.cancel()
        }
    }
}

/// Takes frames from a connection, one after the other; empty ones, which only keep it alive, are passed over (§2.13).
struct StreamFrames {
    private let connection: StreamConnection
    private let endpoint: StreamEndpoint
    private var chunks: BodyStream.Iterator?
    private var splitter: LineSplitter
    private var messages: WebSocket.Messages.Iterator?
    /// The pace at which an endless response is read; a WebSocket has its own.
    private var pace: ArrivalPace?
    /// The lines that the pace has not accounted for.
    private var lines = 0

    init(_ connection: StreamConnection, options: StreamConnectionOptions, endpoint: StreamEndpoint) {
        self.connection = connection
        self.endpoint = endpoint
        splitter = LineSplitter(ends: .lineFeeds, limit: options.frameBytes)
        switch connection {
        case .socket(let socket): messages = socket.messages.makeAsyncIterator()
        case .answer(let answer):
            chunks = answer.body.makeAsyncIterator()
            pace = ArrivalPace(
                messagesPerSecond: options.framesPerSecond,
                bytesPerSecond: options.bytesPerSecond
            )
        }
    }

    /// The next frame; `nil` at an end in order.
    ///
    /// - Throws: `HeliumError`: the connection's failure, `ceilingExceeded`; `CancellationError`.
    mutating func next() async throws -> Data? {
        while true {
            guard let frame = try await messages == nil ? nextLine() : nextMessage() else { return nil }
            if !frame.allSatisfy({ $0 == 32 || 9...13 ~= $0 }) { return frame }
        }
    }

    private mutating func nextMessage() async throws -> Data? {
        switch try await messages?.next() {
        case nil: nil
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }

    /// Waits where the service is too fast: meanwhile nothing is read from the network.
    private mutating func slowDown(_ byteCount: Int) async throws {
        defer { lines = 0 }
        let pause = pace?.pause(afterArrivals: lines, bytes: byteCount, now: endpoint.clock.uptime)
        if let pause { try await endpoint.clock.sleep(for: pause) }
    }

    private mutating func nextLine() async throws -> Data? {
        do {
            while true {
                if let line = try splitter.next({ Data($0) }) {
                    lines += 1
                    return line
                }
                guard let chunk = try await chunks?.next() else { break }
                splitter.append(chunk)
                try await slowDown(chunk.count)
            }
        } catch let error as LineTooLong {
            var failure = endpoint.error(.ceilingExceeded, .answered, "a frame has more than \(error.limit) bytes")
            failure[fact: \.ceiling] = .lineBytes
            throw failure
        }
        // A cancelled stream may just end; half a frame is none.
        try Task.checkCancellation()
        return nil
    }
}

extension HTTPField.Name {
    fileprivate static let connectionID = Self(constant: "Connection-Id")
}
