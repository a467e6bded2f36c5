internal import HTTPTypes
package import HeliumEssentials

/// The kind of a failed response's body, determined from the status, the media type and the first bytes.
///
/// Use a `default` case when you `switch` over it, because later versions may add cases.
public enum ErrorBody: Hashable, Sendable {
    /// No body.
    case empty
    /// A document of the API with errors at the position that the client's ``ResponseEnvelope`` defines.
    case errors([ServerError])
    /// A problem document (RFC 9457).
    case problem(ProblemDetails)
    /// A web page, usually not from the API but from a proxy or load balancer in front of it, or from a captive portal.
    /// The associated value is its title, or otherwise the beginning of its text.
    case html(title: String?)
    /// Plain text: at most its first 1,024 Unicode scalars.
    case text(String)
    /// Any other body, including a JSON document of unknown form.
    case other(mediaType: String?)

    /// The maximum length of the kept text, in Unicode scalars.
    package static let maximumTextLength = 1024
    /// The maximum size of a body that is decoded as a document, in bytes. The cost of decoding a larger one exceeds
    /// its value.
    package static let interpretedBytes = 64 << 10
    /// The maximum number of errors of a document that are kept.
    package static let maximumErrors = 100
}

extension ErrorBody {
    /// Determines the kind of a body. A body larger than ``interpretedBytes`` is not decoded as a document.
    ///
    /// If the first bytes of the body contradict the media type, the bytes decide. Proxies send pages with an API's
    /// media type, and scripts send JSON as `text/html`.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - contentType: The value of the `Content-Type` field.
    ///   - body: The bytes of the body.
    ///   - serverErrors: The errors that the client's envelope found in the body.
    package init(status: Int, contentType: String?, body: Data, serverErrors: [ServerError] = []) {
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

    /// Determines the kind of a response's body.
    package init(head: ResponseHead, body: Data, serverErrors: [ServerError]) {
        self.init(status: head.status, contentType: head[.contentType], body: body, serverErrors: serverErrors)
    }

    private static func text(_ body: Data, _ mediaType: MediaType?) -> String? {
        // The cut may split a character, of which at most three bytes remain.
        let beginning = body.prefix(4 * maximumTextLength)
        for cut in 0...(beginning.count < body.count ? 3 : 0) {
            guard let text = String(body: beginning.dropLast(cut), charset: mediaType?.charset) else { continue }
            // Counts scalars, because a single character may be as long as the text.
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
    /// Returns the body with secrets masked, because a server may repeat what it received.
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
    /// Whether the description is more useful than the beginning of the body.
    var tellsMoreThanItsBytes: Bool {
        switch self {
        case .problem, .html: true
        case .empty, .errors, .text, .other: false
        }
    }

    /// A one-line description without the tags of a page. Control characters are escaped.
    public var description: String {
        switch self {
        case .empty: "no body"
        case .errors(let errors): Self.list(errors)
        case .problem(let problem): problem.description
        case .html(let title): "HTML page, possibly from a proxy\(title.map { ": \(PeerText.escaped($0))" } ?? "")"
        case .text(let text): PeerText.escaped(text)
        case .other(let mediaType):
            mediaType.map { "a body of type \(PeerText.escaped($0))" } ?? "a body of unknown type"
        }
    }

    /// Returns the descriptions of the first errors of a list, and the number of further errors.
    static func list(_ errors: [ServerError]) -> String {
        let shown = errors.prefix(10).map { "{\($0)}" }.joined(separator: ", ")
        return errors.count > 10 ? "\(shown) and \(errors.count - 10) more" : shown
    }
}
