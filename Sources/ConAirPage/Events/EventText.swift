/// The bytes of server-sent events (HTML Standard, "Server-sent events").
enum EventText {
    /// A comment, which readers ignore. It keeps connections open.
    static let heartbeat = Array(": heartbeat\n\n".utf8)

    /// The field that sets the delay before a reader reconnects.
    static let retry = Array("retry: 2000\n\n".utf8)

    /// Returns the bytes of an event.
    ///
    /// - Parameters:
    ///   - id: The id that the reader sends as `Last-Event-ID` when it reconnects.
    ///   - name: The name of the event: letters.
    ///   - data: JSON in a single line.
    static func event(id: String, _ name: String, _ data: [UInt8]) -> [UInt8] {
        Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
