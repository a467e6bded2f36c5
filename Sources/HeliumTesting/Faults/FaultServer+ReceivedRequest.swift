public import Foundation

extension FaultServer {
    /// A request as its bytes arrived.
    public struct ReceivedRequest: Sendable {
        /// The request line and the header section, its last empty line included.
        public let head: Data

        /// The body, as `Content-Length` announced it.
        public let body: Data

        /// Which connection it came on: 1 for the first.
        public let connection: Int

        /// Its place among all requests of the server: 1 for the first.
        public let number: Int

        /// The head's lines, without line ends; the first is the request line.
        public var lines: [String] {
            String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }
    }
}
