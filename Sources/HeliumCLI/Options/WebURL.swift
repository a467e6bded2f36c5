import ArgumentParser
import Foundation
import HeliumKit

/// A URL of the web on the command line or in a variable: checked by ``url(for:)``, whose error gives the reason.
struct WebURL: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// The URL.
    ///
    /// - Parameter source: The option or variable it comes from: the error names it.
    /// - Throws: `ValidationError`.
    func url(for source: String) throws -> URL {
        do throws(InvalidURL) {
            _ = try Origin(text: text)
            if let url = URL(string: text) { return url }
            throw InvalidURL("this is no URL")
        } catch {
            throw ValidationError("invalid \(source)\(quoted): \(error.description)\(hint)")
        }
    }

    /// Nothing of a text that may hold a password or a token.
    private var quoted: String { text.contains { "@?#".contains($0) } ? "" : " \"\(PrintableText.line(text))\"" }

    private var hint: String {
        let isBare = !text.contains("://") && !text.isEmpty && !quoted.isEmpty
        return isBare ? "; write http://\(PrintableText.line(text)) or https://\(PrintableText.line(text))" : ""
    }
}

extension Origin {
    fileprivate init(text: String) throws(InvalidURL) { self = try RequestURL(text.prefixWithoutTarget).origin }
}

extension String {
    /// Scheme and authority of a URL: what stands behind them is percent-encoded where the request is made.
    fileprivate var prefixWithoutTarget: String {
        guard let schemeEnd = range(of: "://") else { return self }
        return String(prefix(upTo: self[schemeEnd.upperBound...].firstIndex { "/?#".contains($0) } ?? endIndex))
    }
}
