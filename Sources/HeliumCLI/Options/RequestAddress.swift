import ArgumentParser
import Foundation
import HeliumKit

/// The address of a request: a base URL and a path, or an absolute URL.
struct RequestAddress {
    /// The variable with the base URL, which is used if the option is missing.
    static let variable = "HELIUM_BASE_URL"

    let base: URL
    let path: String
    /// This address and that of the environment, for the decision where a token is sent.
    let addresses: ServiceAddresses

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - path: A path relative to the base URL, or an absolute URL.
    ///   - option: The value of `--base-url`.
    ///   - environment: The value of ``variable``.
    /// - Throws: `ValidationError` if the base URL is missing or a URL is invalid.
    init(path: String, option: WebURL?, environment: String?) throws {
        guard let whole = Self.split(path) else {
            let home = try environment.map { try WebURL($0).url(for: Self.variable) }
            if let option {
                base = try option.url(for: "--base-url")
            } else if let home {
                base = home
            } else {
                throw ValidationError(
                    "no base URL: give an absolute URL, such as http://127.0.0.1:8080/path, or --base-url, or set \(Self.variable)"
                )
            }
            self.path = path
            addresses = Self.addresses(base, option == nil ? Self.variable : "--base-url", home)
            return
        }
        let base = try WebURL(whole.origin).url(for: "URL")
        guard option == nil else { throw ValidationError("give an absolute URL or --base-url, not both") }
        let home = try environment.map { try WebURL($0).url(for: Self.variable) }
        self.base = base
        self.path = whole.path
        addresses = Self.addresses(base, "the URL", home)
    }

    private static func addresses(_ base: URL, _ source: String, _ home: URL?) -> ServiceAddresses {
        let address = ServiceAddresses.Address(url: base, source: source, isOption: source != variable)
        return ServiceAddresses(used: [address], environmentBase: home)
    }

    /// Splits an absolute URL, of any scheme, into its origin and the rest; `nil` for a path.
    private static func split(_ text: String) -> (origin: String, path: String)? {
        guard let scheme = text.range(of: "://"), isScheme(text[..<scheme.lowerBound].utf8) else { return nil }
        let end = text.utf8[scheme.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        return (String(text[..<end]), String(text[end...]))
    }

    /// Whether a text has the form of a scheme (RFC 3986 §3.1).
    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { 97...122 ~= byte | 32 }
        return text.first.map(isLetter) == true
            && text.allSatisfy { isLetter($0) || 48...57 ~= $0 || $0 == 43 || $0 == 45 || $0 == 46 }
    }
}
