internal import HTTPTypes
internal import HeliumEssentials
internal import Synchronization

// What takes time after an answer has come: its body, its reading.
extension Pipeline {
    /// Replaces the stream of an answer that will not be handed out by the beginning of its body: what has come by the
    /// deadline. A failure's body that breaks off is still the failure that the status tells.
    ///
    /// - Parameters:
    ///   - limit: How many bytes are read at most. Default: ``failureBodyBytes``.
    ///   - time: How long that may take within the call's own time. Default: no limit of its own.
    func settled(
        _ response: TransportResponse,
        upTo limit: Int = failureBodyBytes,
        within time: Duration? = nil,
        call: Call
    ) async throws(HeliumError) -> TransportResponse {
        guard case .stream(let stream) = response.body else { return response }
        defer { stream.cancel() }
        let body = Guarded(Data())
        do {
            try await race(time.map(call.deadline.limited) ?? call.deadline) {
                for try await chunk in stream {
                    let isFull = body.withLock { body in
                        body.append(chunk.prefix(limit - body.count))
                        return body.count >= limit
                    }
                    if isFull { return }
                }
            }
        } catch let error where error is CancellationError || error is ClientClosed {
            throw call.failure(whileWaiting: error)
        } catch {
            // The deadline, or the stream's failure.
        }
        var settled = response
        settled.body = .collected(body.withLock { $0 })
        return settled
    }

    /// Reads a redirect's body to its end if it is short, so that the connection can be used again; drops a longer one.
    func skipBody(of response: TransportResponse, call: Call) async throws(HeliumError) {
        if let length = response.head[.contentLength].flatMap(Int.init), length > Self.redirectBodyBytes,
            case .stream(let stream) = response.body
        {
            return stream.cancel()
        }
        _ = try await settled(response, upTo: Self.redirectBodyBytes, within: Self.redirectBodyLimit, call: call)
    }
}

// MARK: Waiting

extension Pipeline {
    /// Runs `operation` until it ends, the deadline passes, the client closes, or the calling task is cancelled.
    func race<Value: Sendable>(
        _ deadline: Deadline,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await deadline.race(closing: closing, operation)
    }

    /// Sleeps, but not longer than the client is open.
    ///
    /// - Throws: `CancellationError`; ``ClientClosed``.
    func pause(for duration: Duration) async throws {
        try await Race<Void>().run({ [clock] in try await clock.sleep(for: duration) }, timer: nil, closing: closing)
    }
}

// MARK: Reading

extension Pipeline {
    /// Bodies from this size on are read in a race with the call's deadline, its cancellation and the client's closing.
    static let longBodyBytes = 256 << 10

    /// Makes the value of a long body.
    ///
    /// Reading is work that can't be interrupted. When time is over, the caller is released and the reading goes on without
    /// anybody, for a time that the body's size bounds (``ResponseLimits/bodyBytes``).
    func read<Value: Sendable>(
        _ exchange: Exchange,
        by reader: ResultReader<Value>,
        _ reading: Reading
    ) async throws(HeliumError) -> Value {
        do {
            return try await race(exchange.deadline) { try reader.read(exchange, reading) }
        } catch let error as HeliumError {
            throw error
        } catch is DeadlineExceeded {
            var failure = reading.interruption(.timedOut, "the call's time ran out while the answer was read", exchange)
            failure[fact: \.phase] = .total
            throw failure
        } catch is ClientClosed {
            throw reading.interruption(.clientClosed, "the client was closed while the answer was read", exchange)
        } catch {
            throw reading.interruption(.cancelled, "the call was cancelled while the answer was read", exchange)
        }
    }
}
