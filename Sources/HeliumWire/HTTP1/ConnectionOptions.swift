/// The fields of a response that say for how long its connection stays open (RFC 9112 §9.3).
package struct ConnectionOptions: Hashable, Sendable {
    /// Whether `Connection` has the option `close`.
    package private(set) var closes = false
    /// Whether `Connection` has the option `keep-alive`, without which a server of HTTP/1.0 closes.
    package private(set) var keepsAlive = false
    /// The smallest `timeout` of `Keep-Alive` in seconds; `nil` without a valid one.
    package private(set) var idleSeconds: Int?

    /// More seconds than any connection stays idle, so that larger numbers count as this one.
    private static let longest = 1_000_000

    package init() {}

    /// Reads a line whose name has ten bytes, before a colon.
    mutating func note(_ line: UnsafeRawBufferPointer) {
        let value = UnsafeRawBufferPointer(rebasing: line[11...])
        if line.begins(with: "connection") {
            forEachElement(of: value) { option in
                if option.isEqual(to: "close") { closes = true }
                if option.isEqual(to: "keep-alive") { keepsAlive = true }
            }
        } else if line.begins(with: "keep-alive") {
            forEachElement(of: value) { parameter in
                guard parameter.begins(with: "timeout=") else { return }
                noteTimeout(UnsafeRawBufferPointer(rebasing: parameter[8...]))
            }
        }
    }

    private mutating func noteTimeout(_ digits: UnsafeRawBufferPointer) {
        guard !digits.isEmpty else { return }
        var seconds = 0
        for byte in digits {
            guard byte &- 48 < 10 else { return }
            seconds = min(seconds * 10 + Int(byte &- 48), Self.longest)
        }
        idleSeconds = min(idleSeconds ?? seconds, seconds)
    }
}
