public import Foundation

extension FaultServer {
    /// A request as its bytes arrived.
    public struct ReceivedRequest: Sendable {
        /// The request line and the header section, its last empty line included.
        public let head: Data

        /// The body: as `Content-Length` announced it, or its chunks put together. Empty where a fault answers before it
        /// is read.
        public let body: Data

        /// Which connection it came on: 1 for the first.
        public let connection: Int

        /// Its place among all requests of the server: 1 for the first.
        public let number: Int

        /// When its last byte was there, counted from the server's start.
        public let time: Duration

        /// The head's lines, without line ends; the first is the request line.
        public var lines: [String] {
            String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }

        /// The method, as it stands on the request line.
        public var method: String { requestLine.first ?? "" }

        /// The request target, as it stands on the request line.
        public var target: String { requestLine.count > 1 ? requestLine[1] : "" }

        /// The target without its query.
        public var path: String { String(target.prefix { $0 != "?" }) }

        /// The values of the fields of this name, in their order; letter case does not count.
        public func values(of name: String) -> [String] {
            lines.dropFirst().compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }

        private var requestLine: [String] { (lines.first ?? "").split(separator: " ").map(String.init) }
    }
}

extension FaultServer.ReceivedRequest: CustomStringConvertible, CustomReflectable {
    /// Number, method, path and the body's size: `#1 POST /todo, 14 bytes, connection 1`. No field and no query: they
    /// may hold credentials.
    public var description: String {
        "#\(number) \(method) \(path), \(body.count) bytes, connection \(connection)"
    }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
