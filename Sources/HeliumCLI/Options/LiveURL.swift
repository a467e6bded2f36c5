import ArgumentParser
import Foundation

/// The URL of a live connection on the command line or in a variable. ``url(for:schemes:)`` validates it, so that the
/// error can contain the reason.
struct LiveURL: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// Returns the URL.
    ///
    /// - Parameters:
    ///   - source: The name of the option or variable, for the error message.
    ///   - schemes: The accepted schemes.
    /// - Throws: `ValidationError` if the URL is invalid.
    func url(for source: String, schemes: [String]) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme, schemes.contains(scheme), url.host != nil else {
            let list = schemes.dropLast().map { "\($0)://" }.joined(separator: ", ") + " or \(schemes.last ?? "")://"
            throw ValidationError("invalid \(source): use \(list) and a host")
        }
        return url
    }
}
