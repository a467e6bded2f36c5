internal import Foundation
internal import HeliumServerKit

/// Where a web flow returns to (§1.3): an address that the app registered, so that nobody can be led elsewhere.
struct RedirectTarget: Hashable, Sendable {
    private let text: String

    /// Takes `text` where the app may return to it.
    ///
    /// - Parameter registered: the app's URIs, each of which matches whole; empty: any port and path of 127.0.0.1 and
    ///   localhost (RFC 8252, section 7.3)
    init?(_ text: String, registered: [String]) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), text.utf8.count <= 2000,
            let url = URLComponents(string: text), url.scheme != nil, url.fragment == nil
        else { return nil }
        if registered.isEmpty {
            guard url.scheme == "http" || url.scheme == "https", url.host == "127.0.0.1" || url.host == "localhost",
                url.user == nil, url.password == nil
            else { return nil }
        } else {
            guard registered.contains(text) else { return nil }
        }
        self.text = text
    }

    /// The URI with members of a query, as the code flow answers.
    func withQuery(_ members: [(String, String)]) -> String {
        text + (text.contains("?") ? "&" : "?") + FormText.text(of: members)
    }

    /// The URI with a fragment, as the token flow answers.
    func withFragment(_ members: [(String, String)]) -> String { text + "#" + FormText.text(of: members) }
}
