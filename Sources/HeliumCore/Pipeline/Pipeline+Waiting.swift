internal import HTTPTypes
internal import HeliumEssentials
internal import Synchronization

// Steps that take time after a response has arrived: its body and its decoding.
extension Pipeline {
    /// Replaces the stream of a response that is not returned to the caller by the beginning of its body, as far as it
    /// arrives before the deadline. If the body of a failed response breaks off, the call still fails with the
    /// response's status.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to read. Default: ``failureBodyBytes``.
    ///   - time: The maximum time for that, within the call's own time. Default: no separate limit.
    @inline(never)
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
            // The deadline passed, or the stream failed.
        }
        var settled = response
        settled.body = .collected(body.withLock { $0 })
        return settled
    }

    /// Reads a short body of a redirect to its end, so that the connection can be reused. A longer body is cancelled.
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

    /// Sleeps for a duration, or until the client closes.
    ///
    /// - Throws: `CancellationError`; ``ClientClosed``.
    func pause(for duration: Duration) async throws {
        try await Race<Void>().run({ [clock] in try await clock.sleep(for: duration) }, timer: nil, closing: closing)
    }
}

// MARK: Reading

extension Pipeline {
    /// The size from which on bodies are decoded in a race with the call's deadline, its cancellation and the client's
    /// closing.
    static let longBodyBytes = 256 << 10

    /// Decodes a long body.
    ///
    /// Decoding can't be interrupted. When the deadline passes, the caller returns and the decoding continues in the
    /// background, for a time that is bounded by the body's size (``ResponseLimits/bodyBytes``).
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
            var failure = reading.interruption(.timedOut, "the call timed out while the response was read", exchange)
            failure[fact: \.phase] = .total
            throw failure
        } catch is ClientClosed {
            throw reading.interruption(.clientClosed, "the client was closed while the response was read", exchange)
        } catch {
            throw reading.interruption(.cancelled, "the call was cancelled while the response was read", exchange)
        }
    }
}
