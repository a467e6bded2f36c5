package import HeliumCompression

/// The fields of a header section that determine the length and coding of its body (RFC 9112 §6, RFC 9110 §8.4).
///
/// Two different lengths, a length that is too large, and transfer codings that the request did not offer make a
/// response ambiguous: another recipient may find its end elsewhere. So it is rejected.
package struct BodyFraming {
    /// The content coding of the body.
    package enum Coding: Hashable {
        case identity
        case known(Inflater.Format)
        /// A coding that the request did not offer, or several codings.
        case unknown
    }

    /// The announced size of the body; `nil` without `Content-Length`.
    package private(set) var length: Int64?
    package private(set) var coding = Coding.identity
    /// Whether the body has the transfer coding `chunked`.
    package private(set) var isChunked = false
    private var problem: Problem?

    /// An error in the fields, with its description.
    private enum Problem: String {
        case number = "the Content-Length is not a valid number"
        case twoLengths = "the response has two different values of Content-Length"
        case noLength = "the Content-Length is empty"
        case coding = "the body has a transfer coding that was not requested"
        case chunkedTwice = "the body is chunked twice"
    }

    /// The first error in the fields so far.
    package var fault: String? { problem?.rawValue }

    package init() {}

    /// Returns whether a line may be one that ``note(_:)`` reads, by the position of its colon. Most lines are not, and
    /// checking this first is cheaper than an exclusive access to the framing for each of them.
    package static func concerns(_ line: UnsafeRawBufferPointer) -> Bool {
        let colon = UInt8(ascii: ":")
        let count = line.count
        return count > 14 && line[14] == colon || count > 16 && line[16] == colon || count > 17 && line[17] == colon
    }

    /// Returns the first error in the fields, or the reason why they contradict each other or the version of an
    /// HTTP/1 response.
    ///
    /// A response with both a length and a transfer coding may be an attempt to pass one response off as two, so
    /// RFC 9112 §6.3 lets a recipient reject it. The framing of a response in HTTP/1.0 with a transfer coding is faulty
    /// by RFC 9112 §6.1.
    package func fault(isHTTP1_0: Bool) -> String? {
        if let fault { return fault }
        guard isChunked else { return nil }
        if length != nil { return "the response has both Content-Length and Transfer-Encoding" }
        return isHTTP1_0 ? "a response in HTTP/1.0 has Transfer-Encoding" : nil
    }

    /// Reads one line of a header section.
    package mutating func note(_ line: UnsafeRawBufferPointer) {
        let colon = UInt8(ascii: ":")
        if line.count > 14, line[14] == colon, line.begins(with: "content-length") {
            noteLength(UnsafeRawBufferPointer(rebasing: line[15...]))
        } else if line.count > 16, line[16] == colon, line.begins(with: "content-encoding") {
            forEachElement(of: UnsafeRawBufferPointer(rebasing: line[17...])) { noteCoding($0) }
        } else if line.count > 17, line[17] == colon, line.begins(with: "transfer-encoding") {
            noteTransferCodings(UnsafeRawBufferPointer(rebasing: line[18...]))
        }
    }

    /// Reads a length. Several equal lengths count as one (RFC 9110 §8.6). The field is no list, so an empty element is
    /// no number.
    private mutating func noteLength(_ value: UnsafeRawBufferPointer) {
        if trimmed(value).isEmpty { return noteProblem(.noLength) }
        forEachElement(of: value) { element in
            guard let length = Self.number(element) else {
                noteProblem(.number)
                return
            }
            if let known = self.length, known != length {
                noteProblem(.twoLengths)
            }
            self.length = length
        }
    }

    private mutating func noteProblem(_ new: Problem) {
        if problem == nil { problem = new }
    }

    private mutating func noteCoding(_ name: UnsafeRawBufferPointer) {
        if name.isEmpty || name.isEqual(to: "identity") { return }
        guard coding == .identity else {
            coding = .unknown
            return
        }
        if name.isEqual(to: "gzip") || name.isEqual(to: "x-gzip") {
            coding = .known(.gzip)
        } else if name.isEqual(to: "deflate") {
            coding = .known(.deflate)
        } else {
            coding = .unknown
        }
    }

    /// Reads transfer codings. The one that a request need not offer is `chunked` (RFC 9112 §7.4), which a body has once
    /// at most (RFC 9112 §6.1). Recipients differ in what `identity`, which is obsolete, and a field without codings mean.
    private mutating func noteTransferCodings(_ value: UnsafeRawBufferPointer) {
        var hasCoding = false
        forEachElement(of: value) { name in
            if name.isEmpty { return }
            hasCoding = true
            guard name.isEqual(to: "chunked") else { return noteProblem(.coding) }
            if isChunked { noteProblem(.chunkedTwice) }
            isChunked = true
        }
        if !hasCoding { noteProblem(.coding) }
    }

    /// Parses a number of digits only, at least one, at most 2⁶³ − 1.
    private static func number(_ text: UnsafeRawBufferPointer) -> Int64? {
        if text.isEmpty { return nil }
        var number: Int64 = 0
        for byte in text {
            guard byte &- 48 < 10 else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int64(byte &- 48))
            if isTooLarge || isOver { return nil }
            number = sum
        }
        return number
    }
}
