/// The state of one stream with an open exchange.
final class HTTP2Stream {
    let exchange: any HTTP2Exchange
    /// The head of the exchange, which is needed for each field.
    let head: HeadParser
    /// Whether the response has no body whatever its fields say.
    let isHeadRequest: Bool
    /// Whether the HEADERS frame of the request was written, or is being written.
    var isWritten = false

    /// The bytes of the request's body that are still to come; `nil` if their number is not known.
    var missingRequest: Int64?
    /// Whether the whole request was written, or is in the frame that is being written.
    var isRequestComplete: Bool

    /// The bytes of the response's body so far.
    var received: Int64 = 0
    /// The length of the response's body; `nil` if it is not known.
    private(set) var expected: Int64?

    /// The size of the stream's receive window.
    private(set) var window: Int32
    /// The bytes that the consumer has not taken.
    private(set) var backlog = 0
    /// The number of bytes that the peer may send.
    var room: Int { Int(window) - backlog }
    private var largestBacklog = 0
    private var consumed = 0

    init(_ exchange: any HTTP2Exchange, for request: borrowing RequestHead, window: Int32) {
        self.exchange = exchange
        head = exchange.head
        self.window = window
        isHeadRequest = request.method == "HEAD"
        isRequestComplete = request.body == .none || request.body == .length(0)
        if case .length(let length) = request.body { missingRequest = length }
    }

    /// Determines the length of the body after the final header section.
    func expectBody() {
        let hasNoBody = isHeadRequest || head.status == 204 || head.status == 304
        expected = hasNoBody ? 0 : head.framing.length
    }

    /// Returns whether a DATA frame agrees with the length of the body.
    func accepts(_ count: Int, isLast: Bool) -> Bool {
        guard let expected else { return true }
        let total = received + Int64(count)
        return isLast ? total == expected : total <= expected
    }

    /// Notes a part of the body that was delivered.
    func noteReceived(_ count: Int) {
        received += Int64(count)
        backlog += count
        largestBacklog = max(largestBacklog, backlog)
    }

    /// Notes that the consumer took bytes.
    ///
    /// The window doubles each time that a whole window of bytes was taken while never more than half of one was
    /// waiting. So it grows only for a consumer that is faster than the connection.
    ///
    /// - Returns: The number of bytes that leave the window, and whether ``window`` has grown.
    func noteConsumed(_ count: Int, upTo limit: Int32) -> (count: Int, hasGrown: Bool) {
        let count = min(count, backlog)
        backlog -= count
        consumed += count
        guard consumed >= Int(window) else { return (count, false) }
        let keepsUp = largestBacklog <= Int(window) / 2
        consumed = 0
        largestBacklog = backlog
        guard keepsUp, window < limit, expected.map({ $0 - received > Int64(window) }) ?? true else {
            return (count, false)
        }
        window = window > limit / 2 ? limit : window * 2
        return (count, true)
    }
}
