/// A known kind of difference, with the reason for ours.
struct Difference: Sendable {
    let title: String
    let explains: @Sendable (Disagreement) -> Bool

    /// We reject with this message what a peer accepts.
    ///
    /// - Parameter isInGrammar: Whether the grammar makes such responses, and not only the damage to them.
    static func stricter(_ message: String, _ why: String, isInGrammar: Bool = false) -> Self {
        Self(title: "we reject: \(message) (\(why))") {
            $0.ours == .failed(message) && $0.theirs.isComplete && ($0.sample.isDamaged || isInGrammar)
        }
    }

    /// A peer rejects with this error what we accept, if the response has a certain feature.
    static func laxer(
        _ peer: Peer,
        _ errors: [String],
        _ why: String,
        if hasFeature: @escaping @Sendable (Disagreement) -> Bool
    ) -> Self {
        Self(title: "\(peer) rejects, we accept: \(why)") { found in
            guard found.peer == peer, found.ours.isComplete, case .failed(let error) = found.theirs else {
                return false
            }
            return errors.contains(error) && hasFeature(found)
        }
    }

    /// A peer takes another body for that of a response with a certain feature.
    static func other(
        _ peer: Peer,
        _ why: String,
        if hasFeature: @escaping @Sendable (Disagreement) -> Bool
    ) -> Self {
        Self(title: "\(peer) reads another body: \(why)") { found in
            found.peer == peer && found.ours.isComplete && found.theirs.isComplete && hasFeature(found)
        }
    }
}

extension Difference {
    /// The kinds of difference that are as they should be. Any other is a finding.
    static let table: [Difference] = rejected + accepted + readOtherwise

    private static let rejected: [Difference] = [
        .stricter(
            "the response has an invalid header line",
            "RFC 9112 §5: each line is a field; libcurl ignores others"
        ),
        .stricter(
            "the connection ended before the header section was complete",
            "RFC 9112 §8: the response is incomplete; libcurl accepts the part"
        ),
        .stricter("the connection ended before the body was complete", "RFC 9112 §8: the last line is incomplete"),
        .stricter(
            "a header line has a zero byte or a bare carriage return",
            "RFC 9110 §5.5, RFC 9112 §2.2: recipients disagree on where such lines end"
        ),
        .stricter(
            "a response in HTTP/1.0 has Transfer-Encoding",
            "RFC 9112 §6.1: its framing is faulty",
            isInGrammar: true
        ),
        .stricter(
            "the Content-Length is not a valid number",
            "RFC 9112 §6.3: an invalid length is an unrecoverable error"
        ),
        .stricter("the Content-Length is empty", "RFC 9112 §6.3: an invalid length is an unrecoverable error"),
        .stricter("the response has two different values of Content-Length", "RFC 9112 §6.3: an unrecoverable error"),
        .stricter(
            "the response has both Content-Length and Transfer-Encoding",
            "RFC 9112 §6.3: may be an attempt at response splitting"
        ),
        .stricter("the body has a transfer coding that was not requested", "RFC 9112 §7: no TE was sent"),
        .stricter("the body is chunked twice", "RFC 9112 §6.1: chunked is applied once"),
        .stricter("the chunked coding of the body is invalid", "RFC 9112 §7.1: exact line ends and sizes"),
        .stricter(
            "the response is not valid HTTP",
            "RFC 9112 §4: the status line, at once and in HTTP/1.0 or HTTP/1.1"
        ),
        .stricter("the server switched protocols without a request to do so", "RFC 9110 §15.2.2: no Upgrade was sent"),
    ]

    private static let accepted: [Difference] = [
        Difference(title: "a peer rejects the bytes after the response; we do not use the connection again") { found in
            guard found.ours.isComplete, !found.theirs.isComplete else { return false }
            return found.alone == found.ours
        },
        .laxer(
            .node,
            [
                "HPE_CR_EXPECTED", "HPE_INVALID_HEADER_TOKEN", "HPE_STRICT", "HPE_LF_EXPECTED", "HPE_INVALID_CONSTANT",
                "HPE_INVALID_STATUS", "HPE_INVALID_CHUNK_SIZE", "HPE_INVALID_VERSION", "HPE_INVALID_CONTENT_LENGTH",
            ],
            "a line that ends with LF alone (RFC 9112 §2.2 lets recipients accept it)"
        ) { $0.hasBareLineFeed },
        .laxer(
            .node,
            ["HPE_INVALID_HEADER_TOKEN", "HPE_UNEXPECTED_SPACE"],
            "a folded field (RFC 9112 §5.2: a user agent joins the lines by a space)"
        ) { $0.hasLine { $0.first == 0x20 || $0.first == 0x09 } },
        .laxer(
            .node,
            ["HPE_INVALID_HEADER_TOKEN"],
            "a control character in a value (RFC 9110 §5.5: recipients may keep those other than CR, LF and NUL)"
        ) { $0.hasLine { $0.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } } },
        .laxer(
            .node,
            ["HPE_INVALID_CONTENT_LENGTH", "HPE_UNEXPECTED_CONTENT_LENGTH"],
            "a length that is repeated (RFC 9110 §8.6: recipients may use equal ones as one)"
        ) { found in
            found.lines(named: "content-length").count > 1
                || found.lines(named: "content-length").contains { $0.contains(0x2C) }
        },
        .laxer(
            .node,
            ["HPE_INVALID_CONTENT_LENGTH"],
            "a length beside a tab, which is white space (RFC 9110 §5.6.3)"
        ) { $0.lines(named: "content-length").contains { $0.contains(0x09) } },
        .laxer(
            .node,
            ["HPE_INVALID_CONTENT_LENGTH"],
            "a length among the trailers (RFC 9110 §6.5.1: they say nothing about framing)"
        ) { !$0.lines(named: "transfer-encoding").isEmpty && !$0.lines(named: "content-length").isEmpty },
        .laxer(
            .node,
            ["HPE_INVALID_CHUNK_SIZE", "HPE_STRICT"],
            "white space after the size of a chunk or before an extension (RFC 9112 §7.1.1: bad white space)"
        ) { $0.hasLine { $0.first.map(isHexDigit) == true && ($0.contains(0x20) || $0.contains(0x09)) } },
        .laxer(
            .node,
            ["HPE_STRICT", "HPE_INVALID_CHUNK_SIZE"],
            "an extension of a chunk that is no list of tokens (RFC 9112 §7.1.1: unknown ones are ignored)"
        ) { $0.hasLine { $0.first.map(isHexDigit) == true && $0.contains(UInt8(ascii: ";")) } },
        .laxer(
            .node,
            ["HPE_CLOSED_CONNECTION"],
            "the end of the connection, announced by an interim response (RFC 9110 §15.2: the final response follows)"
        ) { $0.hasInterim },
        .laxer(
            .node,
            ["HPE_INVALID_CONTENT_LENGTH", "HPE_UNEXPECTED_CONTENT_LENGTH", "HPE_INVALID_TRANSFER_ENCODING"],
            "an invalid length or coding of an interim response (RFC 9110 §15.2: it has no content)"
        ) { $0.hasFramedInterim },
        .laxer(
            .curl,
            ["CURLE 8"],
            "a folded length (RFC 9112 §5.2: a user agent joins the lines by a space)"
        ) { $0.hasLine { $0.first == 0x20 || $0.first == 0x09 } && !$0.hasListedLength },
        .laxer(
            .curl,
            ["CURLE 56"],
            "a chunk size with more than 16 digits (RFC 9112 §7.1: any number of zeros; we limit the line)"
        ) { $0.hasLine { $0.prefix { isHexDigit($0) }.count > 16 } },
    ]

    private static let readOtherwise: [Difference] = [
        .other(.node, "a coding beside a tab, which is white space (RFC 9110 §5.6.3)") {
            $0.lines(named: "transfer-encoding").contains { $0.contains(0x09) }
        },
        .other(.node, "an empty element after the coding (RFC 9110 §5.6.1.2: a recipient ignores those)") {
            $0.lines(named: "transfer-encoding").contains { line in
                line.last { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D } == UInt8(ascii: ",")
            }
        },
        .other(.curl, "a folded coding (RFC 9112 §5.2: a user agent joins the lines by a space)") {
            !$0.lines(named: "transfer-encoding").isEmpty && $0.hasLine { $0.first == 0x20 || $0.first == 0x09 }
        },
    ]
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
