extension HAR {
    /// A request with its response.
    public struct Entry: Hashable, Sendable, Codable {
        /// The start of the request, as an ISO 8601 date.
        public var startedDateTime: String

        /// The total duration in milliseconds.
        public var time: Double

        /// The request that was sent.
        public var request: Request

        /// The response. Its status is 0 if the transfer failed.
        public var response: Response

        /// The use of a cache. Recordings of Helium do not set it.
        public var cache: Cache?

        /// The durations of the phases.
        public var timings: Timings

        /// A comment for readers of the archive.
        public var comment: String?

        /// The failure of the transfer, before the response or within its body; `nil` for a success. This member is an
        /// extension of Helium.
        public var failure: Failure?

        private enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, comment
            case failure = "_failure"
        }

        /// Creates an entry.
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

    /// The use of a cache in an exchange. Its members are not kept.
    public struct Cache: Hashable, Sendable, Codable {
        /// Creates an empty value.
        public init() {}
    }

    /// The durations of the phases in milliseconds; -1 or `nil` if a phase does not apply.
    public struct Timings: Hashable, Sendable, Codable {
        /// The time spent waiting for a connection.
        public var blocked: Double?
        /// The time spent resolving the host name.
        public var dns: Double?
        /// The time spent connecting, including TLS.
        public var connect: Double?
        /// The duration of the TLS handshake.
        public var ssl: Double?
        /// The time spent sending the request.
        public var send: Double
        /// The time from the end of the request to the first byte of the response.
        public var wait: Double
        /// The time from the first byte of the response to its last.
        public var receive: Double

        /// Creates timings.
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

    /// The failure of a transfer.
    public struct Failure: Hashable, Sendable, Codable {
        /// The failure's kind.
        public var kind: String
        /// The delivery state of the request.
        public var delivery: String
        /// The error message, as one sentence.
        public var message: String

        /// Creates a failure.
        public init(kind: String, delivery: String, message: String) {
            self.kind = kind
            self.delivery = delivery
            self.message = message
        }
    }
}
