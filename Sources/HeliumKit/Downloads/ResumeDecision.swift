internal import HTTPTypes
internal import HeliumCore

/// The decision about a response to a download, depending on the data of an earlier download.
enum ResumeDecision: Hashable {
    /// The body is the whole resource. It replaces the existing data.
    case restart(total: Int64?)
    /// The body continues at the end of the existing file.
    case append(total: Int64?)
    /// The existing file is already complete.
    case complete
    /// The existing data is not usable. It is dropped, and the whole resource is requested.
    case askForAll
    /// The response is invalid.
    case refuse(String)
}

/// A part of a resource that an earlier download left.
struct DownloadPart: Hashable {
    /// The size in bytes, more than 0.
    let bytes: Int64
    /// The validator of the resource.
    let validator: DownloadValidator
    /// The total size; `nil` if it was unknown.
    let total: Int64?
}

extension ResumeDecision {
    /// Makes the decision.
    ///
    /// - Parameters:
    ///   - part: The existing part that the request continues; `nil` if it requested the whole resource.
    ///   - head: The head of the response.
    init(part: DownloadPart?, head: ResponseHead) {
        let range = head[.contentRange].flatMap { ContentRange($0) }
        switch (head.status, part) {
        case (206, nil):
            self = .refuse("the server sent a partial response to a request for the whole file")
        case (206, let part?):
            // Only the rest of the same resource, unencoded, can be appended.
            guard let bounds = range?.bounds, bounds.lowerBound == part.bytes, !part.validator.isContradicted(by: head),
                Self.isIdentity(head), range?.total == nil || part.total == nil || range?.total == part.total,
                range?.total.map({ bounds.upperBound == $0 - 1 }) ?? true
            else {
                self = .askForAll
                return
            }
            self = .append(total: range?.total ?? part.total)
        case (416, let part?):
            // The end of the part is beyond the resource's end. Either the part is complete, or it belongs to another
            // resource.
            let isWhole = range?.bounds == nil && range?.total == part.bytes && (part.total ?? part.bytes) == part.bytes
            self = isWhole && !part.validator.isContradicted(by: head) ? .complete : .askForAll
        case (416, nil):
            self = .refuse("the server rejected a range that was not requested")
        default:
            self = .restart(total: Self.isIdentity(head) ? head.announcedLength : nil)
        }
    }

    /// Returns whether the body has no content coding.
    static func isIdentity(_ head: ResponseHead) -> Bool {
        head[.contentEncoding].map { $0.isEmpty || $0.lowercased().hasSameBytes(as: "identity") } ?? true
    }
}

extension ResponseHead {
    /// The body's size according to `Content-Length`.
    var announcedLength: Int64? {
        self[.contentLength].flatMap { text in
            text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
        }
    }
}
