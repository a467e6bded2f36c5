/// Removes secrets from text that is shown.
package struct Redactor: Sendable {
    package static let mask = "[redacted]"

    /// The secrets in lower case, the longest first.
    private let secrets: [[UInt8]]
    /// Whether a secret begins with the byte.
    private let isFirst: [Bool]

    /// Creates a redactor that masks all occurrences of these strings, ignoring the case of ASCII letters. Strings of
    /// fewer than 6 bytes are ignored, because masking them would make the text unreadable.
    package init(secrets: [String]) {
        self.secrets = secrets.map { $0.utf8.map(Self.lowercased) }.filter { $0.count >= 6 }.sorted {
            $0.count > $1.count
        }
        var isFirst = [Bool](repeating: false, count: 256)
        for secret in self.secrets { isFirst[Int(secret[0])] = true }
        self.isFirst = isFirst
    }

    /// Returns `text` with every secret masked, and every run of 64 or more hexadecimal digits, which is the form of
    /// signatures and hashes of secrets.
    ///
    /// It works on bytes in linear time, because a service may send any text.
    package func redact(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var out: [UInt8] = []
            out.reserveCapacity(bytes.count)
            var (position, digits) = (0, 0)
            /// Masks the digits before this position if there are at least 64 of them.
            func endNumber() {
                if digits >= 64 { out.replaceSubrange((out.count - digits)..., with: Self.mask.utf8) }
                digits = 0
            }
            while position < bytes.count {
                let length = secretLength(bytes, at: position)
                if length > 0 {
                    endNumber()
                    out += Self.mask.utf8
                    position += length
                } else {
                    let byte = bytes[position]
                    if !Self.isHexDigit(byte) { endNumber() }
                    out.append(byte)
                    if Self.isHexDigit(byte) { digits += 1 }
                    position += 1
                }
            }
            endNumber()
            return String(decoding: out, as: UTF8.self)
        }
    }

    /// Returns the beginning of `text`, masked: at most `bytes` bytes. It examines enough text after the cut to find a
    /// secret that is cut in two.
    package func redact(_ text: String, upTo bytes: Int) -> String {
        PeerText.beginning(of: redact(PeerText.beginning(of: text, bytes: bytes + 4096)), bytes: bytes)
    }

    /// Returns the length of the longest secret at this position, or 0 if there is none.
    private func secretLength(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
        guard isFirst[Int(Self.lowercased(bytes[start]))] else { return 0 }
        for secret in secrets where secret.count <= bytes.count - start {
            var index = 0
            while index < secret.count, Self.lowercased(bytes[start + index]) == secret[index] { index += 1 }
            if index == secret.count { return index }
        }
        return 0
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 32) &- 97 < 6 }
}

extension Redactor: CustomReflectable {
    /// No children, so that the secrets do not appear in reflections.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
