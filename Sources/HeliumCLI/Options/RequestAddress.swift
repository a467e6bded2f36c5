import ArgumentParser
import Foundation
import HeliumKit

/// The address of a request: a base URL and a path below it, or an absolute URL.
struct RequestAddress {
    /// The variable that has the base URL where no option does.
    static let variable = "HELIUM_BASE_URL"

    let base: URL
    let path: String
    /// Whether the bearer token of the environment is for this server. A token that was set beside a base URL is that
    /// server's, and is not sent to another origin.
    let isHomeOfBearer: Bool

    /// - Parameters:
    ///   - path: A path below the base URL, or a whole URL.
    ///   - option: `--base-url`.
    ///   - environment: The value of ``variable``.
    /// - Throws: `ValidationError`.
    init(path: String, option: WebURL?, environment: String?) throws {
        guard let whole = Self.split(path) else {
            if let option {
                base = try option.url(for: "--base-url")
            } else if let environment {
                base = try WebURL(environment).url(for: Self.variable)
            } else {
                throw ValidationError(
                    "no base URL: give a whole URL, such as http://127.0.0.1:8080/path, or --base-url, or set \(Self.variable)"
                )
            }
            self.path = path
            isHomeOfBearer = true
            return
        }
        guard option == nil else { throw ValidationError("give a whole URL or --base-url, not both") }
        let base = try WebURL(whole.origin).url(for: "URL")
        let home = try environment.map { try WebURL($0).url(for: Self.variable) }
        self.base = base
        self.path = whole.path
        isHomeOfBearer = try home.map { try Origin($0) == Origin(base) } ?? true
    }

    /// Scheme and authority, and what follows, of a whole URL; `nil` for a path.
    private static func split(_ text: String) -> (origin: String, path: String)? {
        let lowercased = text.prefix(8).lowercased()
        guard lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://"),
            let scheme = text.range(of: "://")
        else { return nil }
        let end = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        return (String(text[..<end]), String(text[end...]))
    }
}
