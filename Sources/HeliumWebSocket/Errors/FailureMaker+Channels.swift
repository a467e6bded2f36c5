internal import HeliumCore
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

extension FailureMaker {
    /// Converts an error that NIO throws while a connection is established.
    ///
    /// - Parameter delivery: Whether the server may have seen the request.
    func failure(from error: any Error, _ delivery: DeliveryState) -> any Error {
        switch error {
        case is HeliumError, is CancellationError:
            return error
        case let error as NIOConnectionError:
            let isUnknown = error.connectionErrors.isEmpty
            let kind: FailureKind = isUnknown ? .hostNotFound : .connectionFailed
            let message = isUnknown ? "the host's name has no address" : "could not connect"
            return self.error(kind, .notSent, message, underlying: error)
        case ChannelError.eof, NIOSSLError.uncleanShutdown:
            return self.error(.connectionFailed, delivery, "the connection ended before the response")
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            let message = delivery == .notSent ? "the TLS handshake failed" : "TLS failed"
            return self.error(.tlsFailed, delivery, message, underlying: error)
        case let error as RawHTTPResponseReader.Malformed:
            return self.error(.malformedResponse, .answered, error.description)
        case is SocketAddressError:
            return self.error(.hostNotFound, .notSent, "the host's name has no address", underlying: error)
        default:
            let message = delivery == .notSent ? "could not connect" : "the connection failed before the response"
            return self.error(.connectionFailed, delivery, message, underlying: error)
        }
    }
}
