internal import HTTPTypes
internal import HeliumCore

/// What is done with an answer to a download, in view of what an earlier one left.
enum ResumeDecision: Hashable {
    /// The body is the whole: it replaces what is there.
    case startAnew(total: Int64?)
    /// The body goes on where the file ends.
    case append(total: Int64?)
    /// The file is the whole already.
    case complete
    /// What is there is of no use: it is dropped, and the whole asked for.
    case askForAll
    /// The answer makes no sense.
    case refuse(String)
}

/// A part of a resource that an earlier download left.
struct DownloadPart: Hashable {
    /// Its size, more than 0.
    let bytes: Int64
    /// The resource it belongs to.
    let validator: DownloadValidator
    /// The size of the whole, where it was known.
    let total: Int64?
}

extension ResumeDecision {
    /// - Parameters:
    ///   - part: What was there and the request asked to go on from; `nil` if it asked for the whole.
    ///   - head: The answer's.
    init(part: DownloadPart?, head: ResponseHead) {
        let range = head[.contentRange].flatMap { ContentRange($0) }
        switch (head.status, part) {
        case (206, nil):
            self = .refuse("the server sent a part where the whole was asked for")
        case (206, let part?):
            // Anything but the rest of the same, byte for byte as it is, can't be appended.
            guard let bounds = range?.bounds, bounds.lowerBound == part.bytes, !part.validator.isContradicted(by: head),
                Self.isIdentity(head), range?.total == nil || part.total == nil || range?.total == part.total,
                range?.total.map({ bounds.upperBound == $0 - 1 }) ?? true
            else {
                self = .askForAll
                return
            }
            self = .append(total: range?.total ?? part.total)
        case (416, let part?):
            // The part's end is beyond the resource's: either it has it all, or it is another one's.
            let isWhole = range?.bounds == nil && range?.total == part.bytes && (part.total ?? part.bytes) == part.bytes
            self = isWhole && !part.validator.isContradicted(by: head) ? .complete : .askForAll
        case (416, nil):
            self = .refuse("the server found no such range where none was asked for")
        default:
            self = .startAnew(total: Self.isIdentity(head) ? head.announcedLength : nil)
        }
    }

    /// Whether the bytes that come are the resource's own.
    static func isIdentity(_ head: ResponseHead) -> Bool {
        head[.contentEncoding].map { $0.isEmpty || $0.lowercased().hasSameBytes(as: "identity") } ?? true
    }
}

extension ResponseHead {
    /// The body's size as `Content-Length` tells it.
    var announcedLength: Int64? {
        self[.contentLength].flatMap { text in
            text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
        }
    }
}
