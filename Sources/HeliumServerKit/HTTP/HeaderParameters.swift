internal import Foundation
internal import HeliumJSON

/// A header value with parameters: `form-data; name="content"; filename="a.png"` (RFC 9110 §5.6.6).
package struct HeaderParameters: Hashable, Sendable {
    /// The text before the first `;`, in lower case.
    package let value: String
    private let parameters: [String: String]

    package init(_ text: String) {
        var pieces = Self.pieces(text)
        value = pieces.removeFirst().trimmingCharacters(in: .whitespaces).lowercased()
        var parameters: [String: String] = [:]
        for piece in pieces {
            guard let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = piece[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = piece[piece.utf8.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            parameters[name] = Self.unquoted(value)
        }
        self.parameters = parameters
    }

    /// Returns the value of a parameter, without quotation marks. An extended parameter in UTF-8 (`filename*`, RFC
    /// 8187) has precedence.
    package subscript(name: String) -> String? {
        if let extended = parameters[name + "*"], let text = Self.decodedExtended(extended) { return text }
        return parameters[name]
    }

    /// Splits the text at semicolons outside of quotation marks. Returns at least one piece.
    private static func pieces(_ text: String) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        // Scalars: a combining mark behind a semicolon or a quotation mark does not change its meaning.
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == ";", !isQuoted {
                pieces.append("")
                continue
            }
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
        }
        return pieces
    }

    /// Removes quotation marks and escapes. Browsers write `%22` for a quotation mark in a file name; other clients
    /// write a backslash before it.
    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasBytePrefix("\""), text.hasByteSuffix("\"") else { return text }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars.dropFirst().dropLast() {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                // A backslash before any other character is part of a Windows path.
                if isEscaped, scalar != "\"", scalar != "\\" { result.append("\\") }
                result.append(scalar)
                isEscaped = false
            }
        }
        return String(result).replacing("%22", with: "\"")
    }

    private static func decodedExtended(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return PercentEncoding.decoded(parts[2])
    }
}
