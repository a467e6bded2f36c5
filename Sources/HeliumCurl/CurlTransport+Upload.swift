import HeliumCore

extension CurlTransport {
    /// Sends a request whose body can be read again. If the server did not process it for certain, it is sent again at once,
    /// also if its body was begun.
    @inline(never)
    func executeReplaying(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var request = request
        let deadline = Deadline(after: request.timeouts.total, clock: SystemClock())
        for _ in 0..<Repetitions.limit {
            do throws(TransportFailure) {
                return try await executeOnce(request)
            } catch {
                guard let repetition = error.repetition, !Task.isCancelled else { throw error }
                if repetition == .overHTTP1 { request.version = .http1 }
                if let remaining = deadline.remaining { request.timeouts.total = remaining }
            }
        }
        return try await executeOnce(request)
    }

    /// Opens the body and starts to read it. Releases the slot if that fails. Nothing of the request has been sent at
    /// that point.
    @inline(never)
    func feed(_ slot: TransferSlot, from upload: UploadBody, of request: TransportRequest)
        async throws(TransportFailure)
    {
        let deadline = Deadline(after: request.timeouts.total, clock: SystemClock())
        do {
            let source = try await open(upload, deadline)
            if upload.length == 0 {
                // A body whose length is 0 is not asked for.
                defer { source.cancel() }
                let first = try await deadline.race { try await source.next() }
                guard first?.isEmpty ?? true else {
                    throw UploadFailure("the body has more than the announced 0 bytes")
                }
            } else {
                let feed = UploadFeed(upload, source: source, loop: loop, slot: slot)
                slot.upload = feed
                feed.start()
            }
            if let remaining = deadline.remaining { slot.limits.limitTotal(to: remaining) }
        } catch {
            loop.release(slot)
            throw Self.failure(opening: error)
        }
    }

    private func open(_ upload: UploadBody, _ deadline: Deadline) async throws -> any UploadSource {
        try Task.checkCancellation()
        if !deadline.hasPassed, let source = try upload.openNow() { return source }
        return try await deadline.race {
            let source = try await upload.open()
            // The source opened after the caller stopped waiting.
            if Task.isCancelled { source.cancel() }
            return source
        }
    }

    private static func failure(opening error: any Error) -> TransportFailure {
        switch error {
        case is CancellationError where Task.isCancelled:
            return TransportFailure(.cancelled, delivery: .notSent, message: "the call was cancelled")
        case is DeadlineExceeded:
            var failure = TransportFailure(
                .timedOut,
                delivery: .notSent,
                message: "the call timed out while the request's body was read"
            )
            failure.phase = .total
            return failure
        default:
            return TransportFailure(unreadable: error, delivery: .notSent)
        }
    }
}
