/// Finds known secrets in bytes that need not be text, ignoring letter case.
struct SecretBytes: Sendable {
    private let needles: SecretNeedles

    /// The secrets that are not found as parts of longer words, in lower case.
    private let words: Set<[UInt8]>

    /// Creates a search for the secrets in several forms: unchanged, percent-encoded, escaped in JSON and XML, and in
    /// Base64 and hexadecimal digits.
    ///
    /// - Parameter keepsLongerWords: Whether a secret that is a word of ASCII letters, or shorter than 6 bytes, is not found
    ///   as a part of a longer word or number: `server` in `servers`.
    init(_ secrets: some Sequence<String>, keepsLongerWords: Bool = false) {
        let secrets = Array(secrets)
        needles = SecretNeedles(secrets)
        words = keepsLongerWords ? Set(secrets.map { $0.utf8.map(DecodedBytes.lowercased) }.filter(Self.isWord)) : []
    }

    /// Returns whether bytes in lower case are short, or a word as of a dictionary.
    private static func isWord(_ bytes: [UInt8]) -> Bool {
        bytes.count < SecretHarvest.shortestSecret || bytes.count < 20 && bytes.allSatisfy { 97...122 ~= $0 }
    }

    /// Returns `bytes` with every secret replaced. A mask is never searched again.
    ///
    /// A percent-encoded or escaped byte is compared as the byte it encodes, so any mixture of encoded and unencoded
    /// bytes matches. The time is linear in the number of bytes.
    ///
    /// - Parameter isCut: Whether more bytes followed, so that the beginning of a secret at the end is masked too.
    func masking(_ bytes: [UInt8], with mask: some Collection<UInt8>, isCut: Bool = false) -> [UInt8] {
        let ranges = ranges(in: bytes, isCut: isCut)
        guard !ranges.isEmpty else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        for range in ranges {
            out += bytes[index..<range.lowerBound]
            out.append(contentsOf: mask)
            index = range.upperBound
        }
        return out + bytes[index...]
    }

    /// Returns the ranges of all secrets in their order. Those that overlap are joined.
    private func ranges(in bytes: [UInt8], isCut: Bool) -> [Range<Int>] {
        guard !needles.isEmpty else { return [] }
        var found: [Range<Int>] = []
        for form in DecodedBytes.forms(of: bytes) {
            var index = 0
            while index < form.bytes.count {
                let length = needles.length(in: form.bytes, at: index, isCut: isCut)
                // Another secret may begin within what is kept.
                guard length > 0, !isPartOfWord(index..<index + length, in: form.bytes) else {
                    index += 1
                    continue
                }
                found.append(form.source(of: index)..<form.source(of: index + length))
                index += length
            }
        }
        found.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var joined: [Range<Int>] = []
        for range in found {
            if let last = joined.last, range.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else if !range.isEmpty {
                joined.append(range)
            }
        }
        return joined
    }

    /// Returns whether a range of bytes in lower case has one of ``words`` as a part of a longer word or number.
    private func isPartOfWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard !words.isEmpty, words.contains(Array(bytes[range])) else { return false }
        func isPart(_ index: Int) -> Bool {
            bytes.indices.contains(index) && (97...122 ~= bytes[index] || 48...57 ~= bytes[index])
        }
        return isPart(range.lowerBound - 1) || isPart(range.upperBound)
    }

    /// Returns `bytes` with every run of 64 or more hexadecimal digits replaced.
    static func maskingLongHex(_ bytes: [UInt8], with mask: some Collection<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var start = 0
        while start < bytes.count {
            let isHex = isHexDigit(bytes[start])
            let end = bytes[start...].firstIndex { isHexDigit($0) != isHex } ?? bytes.count
            if isHex, end - start >= 64 { out.append(contentsOf: mask) } else { out += bytes[start..<end] }
            start = end
        }
        return out
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 6 }
}

extension SecretBytes: CustomReflectable {
    /// No children, so that the secrets do not appear in reflections.
    var customMirror: Mirror { Mirror(self, children: []) }
}
