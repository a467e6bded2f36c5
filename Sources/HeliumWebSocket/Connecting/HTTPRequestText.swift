internal import HTTPTypes
internal import HeliumCore

/// The head of a request for another protocol, as it is sent.
struct HTTPRequestText: Sendable {
    let text: String

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - host: The value of `Host`.
    ///   - fields: The other fields.
    init(_ method: HTTPRequest.Method, _ target: String, host: String, fields: HTTPFields) {
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        self.text = text + "\r\n"
    }
}
