internal import Foundation

/// Takes secrets out of text that people will see.
package struct Redactor: Sendable {
    package static let mask = "[redacted]"
    private let secrets: [String]

    /// Masks these strings wherever they stand, whatever the letter case; empty and very short ones are left out,
    /// because masking them would only garble the text.
    package init(secrets: [String]) {
        self.secrets = secrets.filter { $0.utf8.count >= 6 }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// `text` with every secret masked, and with every run of 64 or more hexadecimal digits masked too: keys of the
    /// middleware and hashes of secrets have that form.
    package func redact(_ text: String) -> String {
        var text = text
        for secret in secrets {
            text = text.replacingOccurrences(of: secret, with: Self.mask, options: .caseInsensitive)
        }
        return Self.maskingLongHex(text)
    }

    private static func maskingLongHex(_ text: String) -> String {
        var out = ""
        var run: [Character] = []
        func flush() {
            out += run.count >= 64 ? mask : String(run)
            run.removeAll(keepingCapacity: true)
        }
        for character in text {
            if character.isASCII, character.isHexDigit {
                run.append(character)
            } else {
                flush()
                out.append(character)
            }
        }
        flush()
        return out
    }
}

extension Redactor: CustomReflectable {
    /// No children: it holds what it hides.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
