internal import Foundation
internal import HeliumServerKit

/// The redirect URI of a web flow (Docs/Protocols/AppNet.md §1.3). It must be registered by the app, so that users
/// cannot be redirected to other sites.
struct RedirectTarget: Hashable, Sendable {
    private let text: String

    /// Creates a target if the app may use `text` as its redirect URI; otherwise `nil`.
    ///
    /// - Parameter registered: The app's redirect URIs, which must match exactly. If empty, any port and path of
    ///   127.0.0.1 and localhost is allowed (RFC 8252 §7.3).
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

    /// Returns the URI with query members, for the result of the code flow.
    func withQuery(_ members: [(String, String)]) -> String {
        text + (text.contains("?") ? "&" : "?") + FormText.text(of: members)
    }

    /// Returns the URI with a fragment, for the result of the token flow.
    func withFragment(_ members: [(String, String)]) -> String { text + "#" + FormText.text(of: members) }
}
