import ArgumentParser
import Foundation

/// The URL of a live connection on the command line or in a variable: checked by ``url(for:schemes:)``, whose error gives the
/// reason.
struct LiveURL: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// The URL.
    ///
    /// - Parameters:
    ///   - source: The option or variable it comes from: the error names it.
    ///   - schemes: The schemes it may have.
    /// - Throws: `ValidationError`.
    func url(for source: String, schemes: [String]) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme, schemes.contains(scheme), url.host != nil else {
            let list = schemes.dropLast().map { "\($0)://" }.joined(separator: ", ") + " or \(schemes.last ?? "")://"
            throw ValidationError("invalid \(source): use \(list) and a host")
        }
        return url
    }
}
