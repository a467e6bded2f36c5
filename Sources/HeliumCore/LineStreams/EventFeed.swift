internal import HTTPTypes

/// The source of events, which all iterators of a sequence share.
struct EventSource: Sendable {
    let options: ServerSentEventOptions
    let clock: any HeliumClock
    /// Sleeps. Throws ``ClientClosed`` if the client closes in the meantime.
    let pause: @Sendable (Duration) async throws -> Void
    /// Connects and sends the id of the last event to the server.
    let open: @Sendable (_ lastEventID: String?) async throws -> OpenedStream
}

/// The events of one iterator. It executes the decisions of ``Reconnection``.
struct EventFeed {
    private let source: EventSource
    private let lease: StatusLease
    private var reconnection: Reconnection
    private var parser: ServerSentEventParser
    private var retry: Duration?
    private var answer: ResponseSummary?
    private var chunks: BodyStream.Iterator?
    private var isOver = false

    init(_ source: EventSource, lease: StatusLease) {
        self.source = source
        self.lease = lease
        reconnection = Reconnection(source.options.reconnects)
        parser = ServerSentEventParser(
            lastEventID: source.options.lastEventID ?? "",
            lineBytes: source.options.lineBytes,
            eventBytes: source.options.eventBytes
        )
    }

    mutating func next() async throws -> ServerSentEvent? {
        guard !isOver else { return nil }
        do {
            if let event = try await event() { return event }
            end()
            return nil
        } catch {
            end()
            lease.update { $0.lastError = error as? HeliumError ?? $0.lastError }
            throw error
        }
    }

    private mutating func end() {
        isOver = true
        chunks = nil
        lease.update { $0.activity = .closed }
    }
}

// MARK: One event

extension EventFeed {
    private mutating func event() async throws -> ServerSentEvent? {
        while true {
            try Task.checkCancellation()
            let failure: HeliumError?
            do {
                if chunks == nil {
                    guard try await connect() else { return nil }
                }
                if let event = try nextEvent() { return event }
                if try await receive() { continue }
                failure = nil
            } catch let error as HeliumError {
                failure = error
            }
            // A cancelled stream may end without an error.
            try Task.checkCancellation()
            chunks = nil
            guard let pause = try pause(after: failure) else { return nil }
            do {
                try await source.pause(pause)
            } catch is ClientClosed {
                throw closedError(after: failure)
            }
            lease.update { $0.reconnects += 1 }
        }
    }

    private mutating func nextEvent() throws -> ServerSentEvent? {
        let idBefore = parser.lastEventID
        do throws(LineTooLong) {
            let event = try parser.next()
            retry = parser.retry ?? retry
            let id = parser.lastEventID
            if id != idBefore { lease.update { $0.lastEventID = id.isEmpty ? nil : id } }
            return event
        } catch {
            throw answer?.ceilingExceeded("an event, or one of its lines, has more than \(error.limit) bytes") ?? error
        }
    }

    /// Receives the next chunk.
    ///
    /// - Returns: `false` at the end of the stream.
    private mutating func receive() async throws -> Bool {
        guard let chunk = try await chunks?.next() else { return false }
        if reconnection.failures > 0 { lease.update { $0.failures = 0 } }
        reconnection.received()
        parser.append(chunk)
        return true
    }

    /// Requests the stream from the server.
    ///
    /// - Returns: `false` if the server ends the stream with 204 (WHATWG HTML, section 9.2.3) or 205.
    private mutating func connect() async throws -> Bool {
        lease.update { $0.activity = .connecting }
        parser = parser.restarted()
        let opened: OpenedStream
        do {
            let id = parser.lastEventID
            opened = try await source.open(id.isEmpty ? nil : id)
        } catch let error as HeliumError where error.status == 204 || error.status == 205 {
            return false
        }
        answer = opened.answer
        let head = opened.stream.head
        guard head.status != 204, head.status != 205 else { return false }
        let type = head[.contentType] ?? ""
        guard Self.isEventStream(type) else {
            throw opened.answer.error(
                .decodingFailed,
                type.isEmpty ? "the response has no media type" : "the response is \(type), not text/event-stream"
            )
        }
        chunks = opened.stream.body.makeAsyncIterator()
        lease.update { $0.activity = .open }
        return true
    }

    private static func isEventStream(_ mediaType: String) -> Bool {
        let essence = mediaType.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 32 && $0 != 9 }
        return String(decoding: essence, as: UTF8.self).lowercased().hasSameBytes(as: "text/event-stream")
    }
}

// MARK: Between connections

extension EventFeed {
    /// Returns the delay before the next connection, or `nil` if the end of the stream is the end of the sequence.
    private mutating func pause(after failure: HeliumError?) throws -> Duration? {
        let random = source.options.random.unit()
        let now = source.clock.wallTime
        let step =
            failure.map { reconnection.failed($0, retry: retry, now: now, random: random) }
            ?? reconnection.ended(retry: retry, random: random)
        let failures = reconnection.failures
        lease.update {
            $0.activity = .waiting
            $0.failures = failures
            $0.lastError = failure ?? $0.lastError
        }
        switch step {
        case .wait(let duration): return duration
        case .finish: return nil
        case .fail: throw finalError(failure)
        }
    }

    private func closedError(after failure: HeliumError?) -> any Error {
        let message = "the client was closed while the stream waited to reconnect"
        if let answer { return answer.error(.clientClosed, message) }
        guard let failure else { return CancellationError() }
        var error = HeliumError(
            .clientClosed,
            request: failure.request,
            delivery: failure.delivery,
            message: message,
            underlying: failure
        )
        error[fact: \.attempts] = failure.attempts
        return error
    }

    private func finalError(_ failure: HeliumError?) -> any Error {
        let failures = reconnection.failures
        guard var error = failure else {
            let message = "the server ended the stream \(failures) times in a row without sending a byte"
            return answer?.error(.connectionLost, message) ?? CancellationError()
        }
        if error.isTransient, failures > 1 {
            error[fact: \.message] += "; gave up after \(failures) failures in a row"
        }
        return error
    }
}
