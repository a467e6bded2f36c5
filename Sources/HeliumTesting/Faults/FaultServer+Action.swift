public import Foundation

extension FaultServer {
    /// One step of a server's script for a connection.
    ///
    /// After the last step the server reads the next request on the connection, unless the step ended the connection.
    public struct Action: Sendable {
        enum Step {
            case send(Data)
            case drip(Data, chunk: Int, pause: Duration)
            case wait(Duration)
            case waitForGate(Gate)
            case endless(Data)
            case hang
            case halfClose
            case close
            case reset
        }

        let steps: [Step]

        init(_ steps: Step...) { self.steps = steps }

        /// Sends bytes unchanged.
        public static func send(_ bytes: Data) -> Self { Self(.send(bytes)) }

        /// Sends text unchanged, in UTF-8. The caller writes the line ends: `"HTTP/1.1 200 OK\r\n"`.
        public static func send(_ text: String) -> Self { Self(.send(Data(text.utf8))) }

        /// Sends text piece by piece, `chunk` bytes at a time, with a pause before each piece.
        public static func drip(_ text: String, chunk: Int = 1, every pause: Duration) -> Self {
            Self(.drip(Data(text.utf8), chunk: max(1, chunk), pause: pause))
        }

        /// Sends bytes piece by piece, `chunk` bytes at a time, with a pause before each piece.
        public static func drip(_ bytes: Data, chunk: Int = 1, every pause: Duration) -> Self {
            Self(.drip(bytes, chunk: max(1, chunk), pause: pause))
        }

        /// Waits for a duration. The wait ends early when the client closes the connection.
        public static func wait(_ duration: Duration) -> Self { Self(.wait(duration)) }

        /// Sends text once `gate` has been opened one more time. Use it to let a test decide the time.
        public static func send(whenOpen gate: Gate, _ text: String) -> Self {
            Self(.waitForGate(gate), .send(Data(text.utf8)))
        }

        /// Sends text repeatedly until the client closes the connection or the server is stopped.
        public static func endless(_ text: String) -> Self { Self(.endless(Data(text.utf8))) }

        /// Closes the sending half of the connection (FIN) and continues to read.
        public static let halfClose = Self(.halfClose)

        /// Reads and discards data until the client closes the connection or the server is stopped.
        public static let hang = Self(.hang)

        /// Closes the connection (FIN).
        public static let close = Self(.close)

        /// Resets the connection (RST).
        public static let reset = Self(.reset)

        /// Sends a complete, well-formed response with its `Content-Length`. The connection stays open.
        public static func answer(_ status: Int = 200, fields: [String] = [], body: String = "") -> Self {
            answer(status, fields: fields, body: Data(body.utf8))
        }

        /// Sends a complete, well-formed response with its `Content-Length`. The connection stays open.
        public static func answer(_ status: Int = 200, fields: [String] = [], body: Data) -> Self {
            Self(.send(head(status, fields + ["Content-Length: \(body.count)"]) + body))
        }

        /// Sends a response whose `Content-Length` is `announced`, whatever the length of the body. The connection
        /// stays open.
        public static func answer(announcing announced: Int, body: String) -> Self {
            Self(.send(head(200, ["Content-Length: \(announced)"]) + Data(body.utf8)))
        }

        /// Sends a head that announces a chunked body, and these chunks. The last chunk is missing, so the body is
        /// incomplete.
        public static func unfinishedChunks(_ chunks: [String]) -> Self {
            let body = chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
            return Self(.send(head(200, ["Transfer-Encoding: chunked"]) + Data(body.utf8)))
        }

        /// Sends an interim response, for example 103.
        public static func interim(_ status: Int) -> Self { Self(.send(head(status, []))) }

        /// Sends a head with `count` fields of `bytes` bytes each, and an empty body.
        ///
        /// Negative numbers count as 0. The head has at most 100,000 fields, and their values at most 16 MiB together: a
        /// longer field is cut to that size, and fields beyond it are left out.
        public static func headerBomb(count: Int, bytes: Int) -> Self {
            let bytes = min(max(bytes, 0), headerBombBytes)
            let count = min(max(count, 0), 100_000, headerBombBytes / max(bytes, 1))
            let value = String(repeating: "x", count: bytes)
            return answer(200, fields: (0..<count).map { "X-Bomb-\($0): \(value)" })
        }

        /// The maximum size of the values of a header bomb. Clients refuse heads that are much smaller.
        private static let headerBombBytes = 16 << 20

        private static func head(_ status: Int, _ fields: [String]) -> Data {
            Data((["HTTP/1.1 \(status) Test"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
        }
    }
}
