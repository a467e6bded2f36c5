import Foundation
import HTTPTypes
import HeliumCore

extension HAR.Entry {
    /// Returns the response of the recorded exchange as a transport would deliver it.
    ///
    /// - Throws: The recorded failure, if there was no response.
    func replayed() throws(TransportFailure) -> TransportResponse {
        let recordedFailure = failure.map {
            TransportFailure(
                FailureKind(rawValue: $0.kind),
                delivery: DeliveryState(rawValue: $0.delivery) ?? .maybeSent,
                message: $0.message
            )
        }
        guard response.status != 0 else {
            throw recordedFailure
                ?? TransportFailure(.connectionLost, delivery: .maybeSent, message: "the recording has no response")
        }
        var fields = HTTPFields()
        for field in response.headers where fields.count < Int(UInt16.max) - 1 {
            guard let name = HTTPField.Name(field.name), !field.name.hasPrefix(":") else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        let head = ResponseHead(status: response.status, version: response.version, fields: fields)
        let data = response.content.data ?? Data()
        var failure = recordedFailure
        if failure == nil, response.content.isTruncated == true {
            let message = "the recording has only the first \(data.count) bytes of the body"
            failure = TransportFailure(.transportFailed, delivery: .answered, message: message)
        }
        guard let failure else { return TransportResponse(head: head, body: .collected(data)) }
        let source = ScriptedBody(chunks: [data], gate: nil, failure: failure)
        return TransportResponse(head: head, body: .stream(BodyStream(source: source)))
    }
}

extension HAR.Response {
    fileprivate var version: ResponseHead.Version {
        let text = httpVersion.lowercased()
        guard !text.isEmpty else { return .http1_1 }
        if text == "h2" || text.hasPrefix("http/2") { return .http2 }
        if text == "h3" || text.hasPrefix("http/3") { return ResponseHead.Version(rawValue: "3") }
        return text == "http/1.0" ? .http1_0 : .http1_1
    }
}
