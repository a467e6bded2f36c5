/// Those whose readings are compared with ours.
enum Peer: String {
    /// Our own, with the bytes one by one.
    case ours, curl, node
}

/// A response that two readers read in different ways.
struct Disagreement: CustomStringConvertible {
    let sample: SampleResponse
    let ours: Reading
    /// The number of bytes that we took.
    let taken: Int
    let theirs: Reading
    /// Their reading of these bytes alone, if there are more.
    let alone: Reading?
    let peer: Peer

    /// The kind of difference, by which examples are counted.
    var kind: String {
        switch (ours, theirs) {
        case (.failed(let reason), .complete): "\(peer) accepts, we do not: \(reason)"
        case (.complete, .failed(let reason)): "we accept, \(peer) does not: \(reason)"
        default: "both accept, \(peer) reads something else"
        }
    }

    /// Whether a line of the response ends without a carriage return.
    var hasBareLineFeed: Bool {
        let bytes = sample.bytes.prefix(taken)
        return bytes.indices.contains { bytes[$0] == 0x0A && ($0 == 0 || bytes[$0 - 1] != 0x0D) }
    }

    /// The lines of the response, without their ends; those of its body too, if it has any.
    private var lines: [ArraySlice<UInt8>] {
        sample.bytes.prefix(taken).split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
    }

    func hasLine(_ isThat: (ArraySlice<UInt8>) -> Bool) -> Bool { lines.contains(where: isThat) }

    /// The lines of fields with a name, given in lower case.
    func lines(named name: String) -> [ArraySlice<UInt8>] {
        let start = Array((name + ":").utf8)
        return lines.filter { line in line.prefix(start.count).map { $0 | ($0 &- 65 < 26 ? 32 : 0) } == start }
    }

    /// Whether a length is a list.
    var hasListedLength: Bool { lines(named: "content-length").contains { $0.contains(UInt8(ascii: ",")) } }

    /// Whether the first response is an interim one.
    var hasInterim: Bool {
        sample.bytes.starts(with: "HTTP/1.1 1".utf8) || sample.bytes.starts(with: "HTTP/1.0 1".utf8)
    }

    /// Whether an interim response has fields for the framing of a body.
    var hasFramedInterim: Bool {
        guard hasInterim else { return false }
        var isInterim = false
        for line in lines {
            if line.starts(with: "HTTP/1.".utf8) { isInterim = line.dropFirst(9).first == UInt8(ascii: "1") }
            guard isInterim else { continue }
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            if name == "content-length" || name == "transfer-encoding" { return true }
        }
        return false
    }

    var description: String {
        let bytes = Self.shown(sample.bytes)
        return
            "\(sample.isHead ? "HEAD" : "GET") \(bytes)\n    ours: \(Self.shown(ours))\n"
            + "    \(peer): \(Self.shown(theirs))"
    }

    private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).debugDescription }

    private static func shown(_ reading: Reading) -> String {
        switch reading {
        case .complete(let status, let body): "\(status) \(shown(body))"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}
