extension HAR {
    /// What was sent.
    public struct Request: Hashable, Sendable, Codable {
        /// The method.
        public var method: String
        /// The absolute URL, as it was sent.
        public var url: String
        /// `HTTP/1.1` and so on.
        public var httpVersion: String
        /// Cookies; never in our own recordings.
        public var cookies: [Field]?
        /// The fields that the caller had a say in.
        public var headers: [Field]
        /// The query, decoded.
        public var queryString: [Field]?
        /// The body.
        public var postData: PostData?
        /// The head's size in bytes; -1 if it is not known.
        public var headersSize: Int?
        /// The body's size in bytes; -1 if it is not known.
        public var bodySize: Int?

        /// A request.
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

    /// What came back.
    public struct Response: Hashable, Sendable, Codable {
        /// The status; 0 if there was no answer.
        public var status: Int
        /// The status in words.
        public var statusText: String
        /// `HTTP/1.1` and so on.
        public var httpVersion: String
        /// Cookies; never in our own recordings.
        public var cookies: [Field]?
        /// The fields.
        public var headers: [Field]
        /// The body.
        public var content: Content
        /// The value of `Location`.
        public var redirectURL: String?
        /// The head's size in bytes; -1 if it is not known.
        public var headersSize: Int?
        /// The body's size in bytes as it was sent; -1 if it is not known.
        public var bodySize: Int?

        /// An answer.
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

    /// A name with its value: a field, a query parameter, a cookie.
    public struct Field: Hashable, Sendable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
