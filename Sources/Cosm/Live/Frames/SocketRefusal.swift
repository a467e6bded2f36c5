internal import Foundation
internal import HTTPTypes
internal import HeliumCore

extension CosmError {
    /// A frame that refuses a request (§14.3): kinds are those of REST's answers.
    init(_ frame: SocketFrame, to method: SocketMethod, _ resource: String, on socket: SocketAddress) {
        let status = frame.status ?? 500
        var error = socket.error(
            .unacceptableStatus,
            .answered,
            "the socket answered with status \(status)",
            method: method,
            resource: resource
        )
        error[fact: \.head] = ResponseHead(status: status, fields: [:])
        var said = ErrorDocument(Data())
        switch frame.body {
        case .text(let text): said.messages = [text]
        case .value(let value): said = ErrorDocument(Data(value.description.utf8))
        case .none, .feed, .datastream, .unreadable: break
        }
        self.init(error, said: said, secrets: socket.secrets)
    }
}
