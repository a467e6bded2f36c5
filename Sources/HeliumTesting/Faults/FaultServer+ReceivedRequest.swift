public import Foundation
internal import HeliumCore

extension FaultServer {
    /// A request as it arrived, byte for byte.
    public struct ReceivedRequest: Sendable {
        /// The request line and the header section, including the empty line at its end.
        public let head: Data

        /// The body: the bytes announced by `Content-Length`, or the chunks put together. Empty if a fault responds
        /// before the body is read.
        public let body: Data

        /// The number of the connection. The first is 1.
        public let connection: Int

        /// The number of the request among all requests of the server. The first is 1.
        public let number: Int

        /// The time at which its last byte arrived, since the server's start.
        public let time: Duration

        /// The lines of the head, without line ends. The first is the request line.
        public var lines: [String] {
            String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }

        /// The method of the request line.
        public var method: String { requestLine.first ?? "" }

        /// The request target of the request line.
        public var target: String { requestLine.count > 1 ? requestLine[1] : "" }

        /// The target without its query.
        public var path: String { String(target.prefix { $0 != "?" }) }

        /// Returns the values of the fields with this name, in their order. Names are compared without regard to case.
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
    /// The number, method, path, body size and connection: `#1 POST /todo, 14 bytes, connection 1`. Fields and query
    /// are left out because they may contain credentials. Keys in the path are masked.
    public var description: String {
        "#\(number) \(method) \(SecretPath.masking(path)), \(body.count) bytes, connection \(connection)"
    }

    /// A mirror that contains only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
