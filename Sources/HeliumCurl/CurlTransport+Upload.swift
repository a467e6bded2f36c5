import HeliumCore

extension CurlTransport {
    /// Opens the body and starts to read it. Releases the slot if that fails. Nothing of the request has been sent at
    /// that point.
    @inline(never)
    func feed(_ slot: TransferSlot, from upload: UploadBody, of request: TransportRequest)
        async throws(TransportFailure)
    {
        let deadline = Deadline(after: request.timeouts.total, clock: SystemClock())
        do {
            let source = try await deadline.race {
                let source = try await upload.open()
                // The source opened after the caller stopped waiting.
                if Task.isCancelled { source.cancel() }
                return source
            }
            if upload.length == 0 {
                // libcurl does not read a body whose length is 0.
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
