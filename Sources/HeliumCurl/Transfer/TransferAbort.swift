import HeliumCore

/// Why we, not libcurl, ended a transfer.
enum TransferAbort: Equatable {
    case cancelled
    case clientClosed
    case timedOut(TransferPhase)
    case ceiling(Ceiling, limit: Int)
    /// libcurl was about to send the request a second time.
    case resend
    /// The server switched protocols (101), which no request of ours asks for.
    case switchedProtocols
    /// The request's own body could not be read.
    case requestBody
    case outOfMemory
}
