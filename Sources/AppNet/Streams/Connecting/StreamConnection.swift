internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumWebSocket

/// An open connection of a stream.
enum StreamConnection: Sendable {
    /// A WebSocket. Each message is one frame.
    case socket(WebSocket)
    /// An endless response. Frames end with CR LF (Docs/Protocols/AppNet.md §2.13).
    case answer(HeliumStream)

    /// The id of the connection in the head of the response; `nil` if it has none (Docs/Protocols/AppNet.md §2.14).
    var announcedID: String? {
        if case .answer(let answer) = self { answer.head[.connectionID] } else { nil }
    }

    /// Sends a keep-alive for services that require one.
    func sendKeepAlive() async throws {
        if case .socket(let socket) = self { try await socket.send(.text("{}")) }
    }

    func end() async {
        switch self {
        case .socket(let socket): await socket.close()
        case .answer(let answer): answer.body.cancel()
        }
    }
}

/// A reader of frames from a connection. It skips empty frames, which are keep-alives (Docs/Protocols/AppNet.md §2.13).
struct StreamFrames {
    private let connection: StreamConnection
    private let endpoint: StreamEndpoint
    private var chunks: BodyStream.Iterator?
    private var splitter: LineSplitter
    private var messages: WebSocket.Messages.Iterator?
    /// The pace at which an endless response is read. A WebSocket has its own.
    private var pace: ArrivalPace?
    /// The number of lines that the pace has not counted yet.
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

    /// Returns the next frame; `nil` if the connection ended normally.
    ///
    /// - Throws: `HeliumError` if the connection fails, of kind `ceilingExceeded` if a frame is too long, or
    ///   `CancellationError` if the task is cancelled.
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

    /// Waits if the service sends too fast. Nothing is read from the network during the delay.
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
        // A cancelled stream may end without an error. An incomplete frame is dropped.
        try Task.checkCancellation()
        return nil
    }
}

extension HTTPField.Name {
    fileprivate static let connectionID = Self(constant: "Connection-Id")
}
