/// A simulated origin.
final class WireHost {
    enum Scheme: CaseIterable { case clear, tls, priorKnowledge }

    let name: String
    let scheme: Scheme
    /// Whether ALPN chooses HTTP/2. A new version of the server may choose otherwise.
    var speaksHTTP2: Bool
    /// The streams that an HTTP/2 connection may have at once.
    let streamLimit: Int
    /// The number of requests, of a hundred, that are treated badly.
    let malice: Int
    /// Whether no connection can be made for now.
    var isDown = false
    /// The time at which the loop has written, or tried to, on any connection.
    var lastWrite: UInt64?

    init(name: String, dice: WireDice, malice: Int) {
        self.name = name
        self.malice = malice
        #if HTTP2
            scheme = dice.pick([.clear, .clear, .tls, .tls, .tls, .priorKnowledge])
            speaksHTTP2 = dice.oneIn(2)
        #else
            scheme = dice.pick([.clear, .tls])
            speaksHTTP2 = false
        #endif
        streamLimit = dice.oneIn(3) ? 1 + dice.below(4) : 100
    }

    var url: String { "\(scheme == .tls ? "https" : "http")://\(name)" }

    /// Returns whether a connection speaks HTTP/2.
    func choosesHTTP2(_ offered: [String]) -> Bool {
        scheme == .priorKnowledge || (scheme == .tls && speaksHTTP2 && offered.contains("h2"))
    }
}

/// A request of a call, as its server has seen it.
final class WireAttempt {
    let call: Int
    let line: Int
    /// Whether the server has said that it did not process the request.
    var isRefused = false
    /// The status of the final response, once its head was written.
    var status: Int?
    /// Whether bytes of a response were written.
    var hasResponded = false
    /// The length of the response's body, and whether all of it was written.
    var length = 0
    var isWhole = false

    init(call: Int, line: Int) {
        self.call = call
        self.line = line
    }
}

/// The server's side of a simulated connection.
protocol WireServer: AnyObject {
    /// Takes bytes from the client.
    func receive(_ bytes: [UInt8])

    /// Called when the client has ended the connection.
    func clientEnded()

    /// Ends the connection, or sends bytes, if there is no request.
    func disturb()
}
