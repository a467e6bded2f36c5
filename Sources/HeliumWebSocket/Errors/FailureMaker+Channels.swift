internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension FailureMaker {
    /// What NIO throws while a connection is made, in our words.
    func failure(from error: any Error) -> any Error {
        switch error {
        case is HeliumError, is CancellationError:
            return error
        case let error as NIOConnectionError:
            let isUnknown = error.connectionErrors.isEmpty
            let kind: FailureKind = isUnknown ? .hostNotFound : .connectionFailed
            let message = isUnknown ? "the host's name has no address" : "no connection"
            return self.error(kind, .notSent, message, underlying: error)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            return self.error(.tlsFailed, .notSent, "the TLS handshake failed", underlying: error)
        case is HTTPParserError, is NIOHTTPDecoderError:
            return self.error(.malformedResponse, .answered, "the answer is no valid HTTP", underlying: error)
        case is SocketAddressError:
            return self.error(.hostNotFound, .notSent, "the host's name has no address", underlying: error)
        case ChannelError.eof:
            return self.error(.connectionFailed, .maybeSent, "the connection ended before the answer")
        default:
            return self.error(.connectionFailed, .maybeSent, "no connection", underlying: error)
        }
    }

    /// An answer that refuses what was asked for, as NIO has it.
    func refusal(by whom: String, _ answer: ExchangeAnswer) -> HeliumError {
        refusal(by: whom, head: ResponseHead(answer.head), body: Data(answer.body.readableBytesView))
    }
}

extension ResponseHead {
    fileprivate init(_ head: HTTPResponseHead) {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: Int(head.status.code), fields: fields)
    }
}
