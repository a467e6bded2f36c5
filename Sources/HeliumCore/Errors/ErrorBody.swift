internal import HTTPTypes
public import HeliumEssentials

/// What a failure's body is, judged by status, media type and its first bytes.
///
/// `switch` over it with a `default`: there may be more some day.
public enum ErrorBody: Hashable, Sendable {
    /// Nothing.
    case empty
    /// A document of the API with errors where the client's ``ResponseEnvelope`` has them.
    case errors([ServerError])
    /// A problem document (RFC 9457).
    case problem(ProblemDetails)
    /// A web page: as a rule not the API's own, but of a proxy or load balancer before it, or of a captive portal. With
    /// its title, or else the beginning of its text.
    case html(title: String?)
    /// Plain text: at most its first ``maximumTextLength`` Unicode scalars.
    case text(String)
    /// Anything else; a JSON document of unknown form too.
    case other(mediaType: String?)

    /// The maximum length of a text that is kept, in Unicode scalars.
    public static let maximumTextLength = 1024
    /// The largest body that is read as a document: what a server sends beyond it would cost the client more than it tells.
    public static let interpretedBytes = 64 << 10
    /// The most errors of a document that are kept.
    public static let maximumErrors = 100
}

extension ErrorBody {
    /// Judges a body. One larger than ``interpretedBytes`` is not read as a document.
    ///
    /// The body's first bytes count for more than the media type where both can't be true: proxies send pages under an
    /// API's media type, and scripts send JSON as `text/html`.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - contentType: The `Content-Type` field's value.
    ///   - body: The bytes.
    ///   - serverErrors: The errors that the client's envelope found in it.
    public init(status: Int, contentType: String?, body: Data, serverErrors: [ServerError] = []) {
        let mediaType = contentType.flatMap(MediaType.init)
        let start = body.prefix(1024).drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        let looksLikeJSON = start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[")
        if body.isEmpty || [204, 205, 304].contains(status) {
            self = .empty
        } else if HTMLPage.begins(with: start) || (mediaType?.isHTML == true && !looksLikeJSON) {
            self = .html(title: HTMLPage.summary(of: body, charset: mediaType?.charset))
        } else if mediaType?.essence == "application/problem+json", body.count <= Self.interpretedBytes,
            let problem = ProblemDetails(body: body)
        {
            self = .problem(problem)
        } else if !serverErrors.isEmpty {
            self = .errors(serverErrors)
        } else if !looksLikeJSON, mediaType == nil || mediaType?.type == "text", let text = Self.text(body, mediaType) {
            self = .text(text)
        } else {
            self = .other(mediaType: mediaType?.essence)
        }
    }

    /// Judges an answer's body.
    package init(head: ResponseHead, body: Data, serverErrors: [ServerError]) {
        self.init(status: head.status, contentType: head[.contentType], body: body, serverErrors: serverErrors)
    }

    private static func text(_ body: Data, _ mediaType: MediaType?) -> String? {
        // A cut goes through no character: at most three bytes of one are left over.
        let beginning = body.prefix(4 * maximumTextLength)
        for cut in 0...(beginning.count < body.count ? 3 : 0) {
            guard let text = String(body: beginning.dropLast(cut), charset: mediaType?.charset) else { continue }
            // By scalars: a single character may be as long as the text.
            guard !text.unicodeScalars.contains("\0") else { return nil }
            let isSpace: (Unicode.Scalar) -> Bool = \.properties.isWhitespace
            let trimmed = text.unicodeScalars.drop(while: isSpace).prefix(maximumTextLength)
            let end = trimmed.lastIndex { !isSpace($0) }.map(trimmed.index(after:)) ?? trimmed.startIndex
            return String(trimmed[..<end])
        }
        return nil
    }
}

extension ErrorBody {
    /// The same with secrets masked: a server may echo what it was sent.
    package func redacted(by redactor: Redactor) -> Self {
        switch self {
        case .errors(let errors): .errors(errors.map { $0.redacted(by: redactor) })
        case .problem(let problem): .problem(problem.redacted(by: redactor))
        case .html(let title): .html(title: title.map(redactor.redact))
        case .text(let text): .text(redactor.redact(text))
        case .empty, .other: self
        }
    }
}

extension ErrorBody: CustomStringConvertible {
    /// Whether the description is better than the body's beginning.
    var tellsMoreThanItsBytes: Bool {
        switch self {
        case .problem, .html: true
        case .empty, .errors, .text, .other: false
        }
    }

    /// One line for people; no tags of a page, control characters escaped.
    public var description: String {
        switch self {
        case .empty: "no body"
        case .errors(let errors): Self.list(errors)
        case .problem(let problem): problem.description
        case .html(let title): "HTML page, perhaps of a proxy\(title.map { ": \(PeerText.escaped($0))" } ?? "")"
        case .text(let text): PeerText.escaped(text)
        case .other(let mediaType):
            mediaType.map { "a body of type \(PeerText.escaped($0))" } ?? "a body of unknown type"
        }
    }

    /// The first errors of a list, and how many more there are.
    static func list(_ errors: [ServerError]) -> String {
        let shown = errors.prefix(10).map { "{\($0)}" }.joined(separator: ", ")
        return errors.count > 10 ? "\(shown) and \(errors.count - 10) more" : shown
    }
}
