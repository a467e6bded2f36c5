import HeliumCore

extension CurlTransport {
    /// Opens the body and begins to read it; gives the slot back where that fails. Nothing of the request has left yet.
    func feed(_ slot: TransferSlot, from upload: UploadBody, of request: TransportRequest)
        async throws(TransportFailure)
    {
        let deadline = Deadline(after: request.timeouts.total, clock: SystemClock())
        do {
            let source = try await deadline.race {
                let source = try await upload.open()
                // Opened after nobody waited any more.
                if Task.isCancelled { source.cancel() }
                return source
            }
            if upload.length == 0 {
                // libcurl does not ask for what has no length.
                defer { source.cancel() }
                let first = try await deadline.race { try await source.next() }
                guard first?.isEmpty ?? true else {
                    throw UploadFailure("the body has more bytes than the 0 that were announced")
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
                message: "the call's time ran out before its body was there"
            )
            failure.phase = .total
            return failure
        default:
            return TransportFailure(unreadable: error, delivery: .notSent)
        }
    }
}
