internal import HeliumEssentials

/// The texts to search for, in an order that finds the longest one at a position by a binary search.
///
/// The cost for each byte of a text depends on the logarithm of their number only. A recording has thousands.
struct SecretNeedles: Sendable {
    /// The length from which the beginning of a secret counts as the secret. It bounds the comparisons at a position.
    static let longBytes = 64
    /// The least length of the beginning of a secret that is found at the end of a text that was cut.
    private static let shortestPart = 4

    /// In lower case and in the order of their bytes.
    private let needles: [[UInt8]]
    /// The index of the longest other needle that each needle begins with; -1 if there is none.
    private let parents: [Int]
    /// Whether a needle of fewer than four bytes begins with the byte.
    private let beginsShort: [Bool]
    /// A bit for the hash of the first four bytes of each needle.
    private let firstWords: [Bool]

    var isEmpty: Bool { needles.isEmpty }

    init(_ secrets: some Sequence<String>) {
        var all: Set<[UInt8]> = []
        for secret in secrets where !secret.isEmpty {
            for form in SecretNeedles.forms(of: secret) where !form.isEmpty {
                all.insert(form.utf8.map(DecodedBytes.lowercased))
            }
        }
        let needles = all.sorted { $0.lexicographicallyPrecedes($1) }
        var parents: [Int] = []
        var beginsShort = [Bool](repeating: false, count: 256)
        var size = 1024
        while size < needles.count * 16 { size *= 2 }
        var firstWords = [Bool](repeating: false, count: size)
        // The needles that the current one begins with, the longest last.
        var open: [Int] = []
        for (index, needle) in needles.enumerated() {
            while let last = open.last, !needle.starts(with: needles[last]) { open.removeLast() }
            parents.append(open.last ?? -1)
            open.append(index)
            if needle.count < 4 {
                beginsShort[Int(needle[0])] = true
            } else {
                firstWords[SecretNeedles.hash(needle, at: 0, size: size)] = true
            }
        }
        (self.needles, self.parents, self.beginsShort, self.firstWords) = (needles, parents, beginsShort, firstWords)
    }

    /// Returns the forms of a secret that are not found by decoding: in the text of XML, with `+` for spaces, in
    /// hexadecimal digits, and in Base64, also as a part of what was encoded.
    private static func forms(of secret: String) -> [String] {
        let data = Array(secret.utf8)
        var forms = [secret, Data(data).base64EncodedString()]
        if data.contains(UInt8(ascii: " ")) { forms.append(secret.replacingBytes(of: " ", with: "+")) }
        let escaped = secret.replacingBytes(of: "&", with: "&amp;").replacingBytes(of: "<", with: "&lt;")
            .replacingBytes(of: ">", with: "&gt;")
        forms += [escaped, escaped.replacingBytes(of: "\"", with: "&quot;").replacingBytes(of: "'", with: "&#39;")]
        forms.append(escaped.replacingBytes(of: "\"", with: "&quot;").replacingBytes(of: "'", with: "&apos;"))
        guard data.count >= 6 else { return forms }
        for offset in 0..<3 {
            let characters = Array(Data([UInt8](repeating: 0, count: offset) + data).base64EncodedString().utf8)
            // The characters that depend on no other byte than those of the secret.
            let part = characters[(offset * 8 + 5) / 6..<(offset + data.count) * 8 / 6]
            if part.count >= 8 { forms.append(String(decoding: part, as: UTF8.self)) }
        }
        let digits = Array("0123456789abcdef".utf8)
        forms.append(String(decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
        return forms + forms.map { $0.replacingBytes(of: "+", with: "-").replacingBytes(of: "/", with: "_") }
    }

    private static func hash(_ bytes: [UInt8], at index: Int, size: Int) -> Int {
        let word =
            UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
            | UInt32(bytes[index + 3]) << 24
        let mixed = word &* 0x9E37_79B1
        return Int((mixed ^ mixed >> 15) & UInt32(truncatingIfNeeded: size - 1))
    }
}

extension SecretNeedles {
    /// Returns the length of the longest secret at this position of a text in lower case, or 0 if there is none. The
    /// beginning of a long secret counts too, as does that of any secret at the end of a text that was cut.
    func length(in text: [UInt8], at start: Int, isCut: Bool) -> Int {
        let isPossible =
            beginsShort[Int(text[start])]
            || start + 4 <= text.count && firstWords[SecretNeedles.hash(text, at: start, size: firstWords.count)]
        guard isPossible else { return 0 }
        let next = firstNeedle(after: text, from: start)
        // What a text begins with is before it in the order, and what is between begins with it too.
        let shared = next > 0 ? common(text, start, needles[next - 1]) : 0
        var index = next - 1
        while index >= 0, needles[index].count > shared { index = parents[index] }
        let longest = max(shared, next < needles.count ? common(text, start, needles[next]) : 0)
        let isPart =
            longest >= SecretNeedles.longBytes
            || isCut && longest >= SecretNeedles.shortestPart && start + longest == text.count
        return max(index >= 0 ? needles[index].count : 0, isPart ? longest : 0)
    }

    /// Returns the index of the first needle that is greater than the text from `start`.
    private func firstNeedle(after text: [UInt8], from start: Int) -> Int {
        var (low, high) = (0, needles.count)
        while low < high {
            let middle = (low + high) / 2
            let shared = common(text, start, needles[middle])
            let isBefore =
                shared == needles[middle].count
                || start + shared < text.count && needles[middle][shared] < text[start + shared]
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the number of bytes that the text from `start` and a needle begin with.
    private func common(_ text: [UInt8], _ start: Int, _ needle: [UInt8]) -> Int {
        let limit = min(needle.count, text.count - start)
        var count = 0
        while count < limit, text[start + count] == needle[count] { count += 1 }
        return count
    }
}
