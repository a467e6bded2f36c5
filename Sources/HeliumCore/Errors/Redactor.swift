/// Takes secrets out of text that people will see.
///
/// Works on bytes and goes through a text once: what a peer sent must not make it slow.
package struct Redactor: Sendable {
    package static let mask = "[redacted]"
    /// A run of so many hexadecimal digits or more is masked whatever it is.
    private static let longHex = 64

    /// The longest first, ASCII letters in lower case.
    private let secrets: [[UInt8]]
    /// Whether a secret begins with a byte, in either letter case.
    private let beginnings: [Bool]

    /// Masks these strings wherever they stand, whatever the case of their ASCII letters; empty and very short ones are
    /// left out, because masking them would only garble the text.
    package init(secrets: [String]) {
        let secrets = Set(secrets.map { $0.utf8.map(Self.lowercased) }).filter { $0.count >= 6 }
        self.secrets = secrets.sorted { $0.count > $1.count }
        var beginnings = [Bool](repeating: false, count: secrets.isEmpty ? 0 : 256)
        for secret in secrets {
            beginnings[Int(secret[0])] = true
            if 97...122 ~= secret[0] { beginnings[Int(secret[0] - 32)] = true }
        }
        self.beginnings = beginnings
    }

    /// `text` with every secret masked, and with every run of 64 or more hexadecimal digits masked too: keys of the
    /// middleware and hashes of secrets have that form.
    package func redact(_ text: String) -> String {
        var text = text
        let masked = text.withUTF8 { mask($0) }
        return masked.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The beginning of `text`, masked: at most `bytes` bytes. Enough is looked at beyond the cut to find a secret that
    /// the cut would go through.
    package func redact(_ text: String, upTo bytes: Int) -> String {
        PeerText.beginning(of: redact(PeerText.beginning(of: text, bytes: bytes + 4096)), bytes: bytes)
    }

    /// The masked bytes; `nil` if nothing has to be masked.
    private func mask(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        /// Up to where `bytes` is in `out`.
        var copied = 0
        var run = 0
        var index = 0
        func replace(_ range: Range<Int>) {
            out.append(contentsOf: bytes[copied..<range.lowerBound])
            out.append(contentsOf: Self.mask.utf8)
            copied = range.upperBound
        }
        while index < bytes.count {
            if !beginnings.isEmpty, beginnings[Int(bytes[index])], let length = secretLength(in: bytes, at: index) {
                if run >= Self.longHex { replace((index - run)..<index) }
                replace(index..<(index + length))
                index += length
                run = 0
                continue
            }
            if Self.isHexDigit(bytes[index]) {
                run += 1
            } else {
                if run >= Self.longHex { replace((index - run)..<index) }
                run = 0
            }
            index += 1
        }
        if run >= Self.longHex { replace((index - run)..<index) }
        // Every replacement reaches beyond the beginning.
        guard copied > 0 else { return nil }
        out.append(contentsOf: bytes[copied...])
        return out
    }

    private func secretLength(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        for secret in secrets where secret.count <= bytes.count - start {
            var index = 0
            while index < secret.count, Self.lowercased(bytes[start + index]) == secret[index] { index += 1 }
            if index == secret.count { return index }
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 6 }
}

extension Redactor: CustomReflectable {
    /// No children: it holds what it hides.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
