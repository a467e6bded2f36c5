internal import HTTPTypes
internal import HeliumServerKit

/// The page on which a user signs in and grants the request of an app. It contains no scripts, and its form is
/// submitted to the URL of the page.
enum AuthorizationPage {
    /// Returns the page with the form.
    ///
    /// - Parameters:
    ///   - fields: The parameters of the query, which are sent back with the form.
    ///   - message: The error of the last attempt.
    static func form(
        for question: AuthorizationQuestion,
        fields: [(String, String)],
        message: String? = nil
    ) -> ServerReply {
        let hidden = fields.map { name, value in
            "<input type=\"hidden\" name=\"\(escaped(name))\" value=\"\(escaped(value))\">"
        }
        let scopes = question.scopes.sorted().map { "<li>\(escaped($0.rawValue))</li>" }
        return page(
            status: message == nil ? .ok : .unauthorized,
            title: "Sign in",
            body: """
                <h1>\(escaped(question.client.name)) asks for your permission</h1>
                \(message.map { "<p role=\"alert\">\(escaped($0))</p>" } ?? "")
                <ul>\(scopes.joined())</ul>
                <form method="post">
                \(hidden.joined(separator: "\n"))
                <p><label>User name <input name="username" autocomplete="username"></label></p>
                <p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p>
                <p><button name="decision" value="allow">Allow</button>
                <button name="decision" value="deny">Deny</button></p>
                </form>
                """
        )
    }

    /// Returns the page for requests that cannot be redirected: an unknown app, or a redirect URI that it did not
    /// register.
    static func refusal(_ text: String) -> ServerReply {
        page(status: .badRequest, title: "Not possible", body: "<h1>Not possible</h1>\n<p>\(escaped(text))</p>")
    }

    private static func page(status: HTTPResponse.Status, title: String, body: String) -> ServerReply {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(title)</title></head>
            <body>
            \(body)
            </body>
            </html>

            """
        var reply = ServerReply.text(status, text, type: "text/html; charset=utf-8")
        // The page must not load resources, and other pages must not show it in a frame.
        reply.fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
        reply.fields[.cacheControl] = "no-store"
        reply.fields[.referrerPolicy] = "no-referrer"
        return reply
    }

    /// Returns text that is escaped for markup, including attribute values.
    private static func escaped(_ text: String) -> String { MarkupEscapes([.quotes, .apostrophes]).escaped(text) }
}

extension HTTPField.Name {
    static let referrerPolicy = Self.known("Referrer-Policy")
}
