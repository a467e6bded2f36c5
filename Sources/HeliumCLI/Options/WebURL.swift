import ArgumentParser
import Foundation
import HeliumKit

/// An HTTP URL on the command line or in a variable. ``url(for:)`` validates it, so that the error can contain the
/// reason.
struct WebURL: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// Returns the URL.
    ///
    /// - Parameter source: The name of the option or variable, for the error message.
    /// - Throws: `ValidationError` if the URL is invalid.
    func url(for source: String) throws -> URL {
        do throws(InvalidURL) {
            _ = try Origin(text: text)
            if let url = URL(string: text) { return url }
            throw InvalidURL("this is not a URL")
        } catch {
            throw ValidationError("invalid \(source)\(quoted): \(error.description)\(hint)")
        }
    }

    /// The quoted text; empty if the text may contain a password or a token.
    private var quoted: String {
        // A path may contain a key, and what stands before an @ may be a password.
        let origin = text.prefixWithoutTarget
        let isPlain =
            !text.utf8.contains { "@?#".utf8.contains($0) }
            && (text.contains("://") || !text.utf8.contains(UInt8(ascii: "/")))
        return isPlain && isHostLike(origin) ? " \"\(origin)\"" : ""
    }

    /// Whether a text looks like a host, which is short or has a dot or a port, rather than like a token in the wrong place.
    private func isHostLike(_ origin: String) -> Bool {
        let bytes = origin.utf8
        return bytes.count <= 64 && (bytes.count < 8 || bytes.contains { ".:".utf8.contains($0) })
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: ".-:[]/_%+".utf8.contains(byte)
                }
            }
    }

    private var hint: String {
        let isBare = !text.contains("://") && !text.isEmpty && !quoted.isEmpty
        return isBare ? "; write http://\(text) or https://\(text)" : ""
    }
}

extension Origin {
    fileprivate init(text: String) throws(InvalidURL) { self = try RequestURL(text.prefixWithoutTarget).origin }
}

extension String {
    /// The scheme and authority of a URL. The rest is percent-encoded when the request is made.
    fileprivate var prefixWithoutTarget: String {
        guard let schemeEnd = range(of: "://") else { return self }
        return String(prefix(upTo: utf8[schemeEnd.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? endIndex))
    }
}
