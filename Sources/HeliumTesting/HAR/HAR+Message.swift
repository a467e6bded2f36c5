extension HAR {
    /// The request of an exchange.
    public struct Request: Hashable, Sendable, Codable {
        /// The method.
        public var method: String
        /// The absolute URL, as it was sent. In a recording, secrets are replaced by `***`, and `***` is percent-encoded.
        public var url: String
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String
        /// The cookies. Recordings of Helium do not contain any.
        public var cookies: [Field]?
        /// The header fields that the caller could set.
        public var headers: [Field]
        /// The parameters of the query, decoded.
        public var queryString: [Field]?
        /// The body.
        public var postData: PostData?
        /// The size of the head in bytes; -1 if it is not known.
        public var headersSize: Int?
        /// The size of the body in bytes; -1 if it is not known.
        public var bodySize: Int?

        /// Creates a request.
        public init(
            method: String,
            url: String,
            httpVersion: String = "HTTP/1.1",
            headers: [Field] = [],
            queryString: [Field] = [],
            postData: PostData? = nil,
            bodySize: Int = -1
        ) {
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            cookies = []
            self.headers = headers
            self.queryString = queryString
            self.postData = postData
            headersSize = -1
            self.bodySize = bodySize
        }
    }

    /// The response of an exchange.
    public struct Response: Hashable, Sendable, Codable {
        /// The status; 0 if there was no response.
        public var status: Int
        /// The reason phrase of the status.
        public var statusText: String
        /// The protocol version, such as `HTTP/1.1`.
        public var httpVersion: String
        /// The cookies. Recordings of Helium do not contain any.
        public var cookies: [Field]?
        /// The header fields.
        public var headers: [Field]
        /// The body.
        public var content: Content
        /// The value of the `Location` field.
        public var redirectURL: String?
        /// The size of the head in bytes; -1 if it is not known.
        public var headersSize: Int?
        /// The size of the body in bytes as it was transferred; -1 if it is not known.
        public var bodySize: Int?

        /// Creates a response.
        public init(
            status: Int,
            statusText: String = "",
            httpVersion: String = "HTTP/1.1",
            headers: [Field] = [],
            content: Content = Content(),
            redirectURL: String = ""
        ) {
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            cookies = []
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            headersSize = -1
            bodySize = -1
        }
    }

    /// A name with its value: a header field, a query parameter or a cookie.
    public struct Field: Hashable, Sendable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
