extension HAR {
    /// A request with its answer.
    public struct Entry: Hashable, Sendable, Codable {
        /// When the request began, in ISO 8601.
        public var startedDateTime: String

        /// How long it all took, in milliseconds.
        public var time: Double

        /// What was sent.
        public var request: Request

        /// What came back; of a failed transfer, status 0.
        public var response: Response

        /// What a cache had to do with it: nothing, of our own recordings.
        public var cache: Cache?

        /// Where the time went.
        public var timings: Timings

        /// A remark for people.
        public var comment: String?

        /// How the transfer failed, before or within its answer's body.
        public var failure: Failure?

        private enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, comment
            case failure = "_failure"
        }

        /// An entry.
        public init(
            startedDateTime: String,
            time: Double,
            request: Request,
            response: Response,
            timings: Timings,
            failure: Failure? = nil
        ) {
            self.startedDateTime = startedDateTime
            self.time = time
            self.request = request
            self.response = response
            cache = Cache()
            self.timings = timings
            self.failure = failure
        }
    }

    /// What a cache had to do with an exchange. Its members are not kept.
    public struct Cache: Hashable, Sendable, Codable {
        /// Nothing.
        public init() {}
    }

    /// Where the time went, in milliseconds; -1 and `nil` where a phase does not apply.
    public struct Timings: Hashable, Sendable, Codable {
        /// Waiting for a connection.
        public var blocked: Double?
        /// Resolving the host's name.
        public var dns: Double?
        /// Connecting, TLS included.
        public var connect: Double?
        /// The TLS handshake.
        public var ssl: Double?
        /// Sending.
        public var send: Double
        /// From then to the first byte of the answer.
        public var wait: Double
        /// From then to its last.
        public var receive: Double

        /// Times.
        public init(
            blocked: Double? = nil,
            dns: Double? = nil,
            connect: Double? = nil,
            ssl: Double? = nil,
            send: Double = 0,
            wait: Double = 0,
            receive: Double = 0
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.ssl = ssl
            self.send = send
            self.wait = wait
            self.receive = receive
        }
    }

    /// How a transfer failed.
    public struct Failure: Hashable, Sendable, Codable {
        /// The failure's kind.
        public var kind: String
        /// How far the request got.
        public var delivery: String
        /// One sentence for people.
        public var message: String

        /// A failure.
        public init(kind: String, delivery: String, message: String) {
            self.kind = kind
            self.delivery = delivery
            self.message = message
        }
    }
}
