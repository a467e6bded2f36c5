internal import HeliumCore
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

extension FailureMaker {
    /// Converts an error that NIO throws while a connection is established.
    func failure(from error: any Error) -> any Error {
        switch error {
        case is HeliumError, is CancellationError:
            return error
        case let error as NIOConnectionError:
            let isUnknown = error.connectionErrors.isEmpty
            let kind: FailureKind = isUnknown ? .hostNotFound : .connectionFailed
            let message = isUnknown ? "the host's name has no address" : "could not connect"
            return self.error(kind, .notSent, message, underlying: error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            return self.error(.tlsFailed, .notSent, "the TLS handshake failed", underlying: error)
        case let error as RawHTTPResponseReader.Malformed:
            return self.error(.malformedResponse, .answered, error.description)
        case is SocketAddressError:
            return self.error(.hostNotFound, .notSent, "the host's name has no address", underlying: error)
        case ChannelError.eof:
            return self.error(.connectionFailed, .maybeSent, "the connection ended before the response")
        default:
            return self.error(.connectionFailed, .maybeSent, "could not connect", underlying: error)
        }
    }
}
