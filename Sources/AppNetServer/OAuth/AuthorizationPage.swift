internal import HTTPTypes
internal import HeliumServerKit

/// The page on which a user signs in and allows an app what it asks for. It holds no script, and its form comes back to
/// the address that it was shown under.
enum AuthorizationPage {
    /// The page with the form.
    ///
    /// - Parameters:
    ///   - fields: the query's parameters, which come back with the form
    ///   - message: what went wrong the last time
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

    /// The page for questions that cannot even be sent back: an unknown app, or an address that it did not register.
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
        // Nothing may be loaded, and no other page may show this one in a frame.
        reply.fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
        reply.fields[.cacheControl] = "no-store"
        reply.fields[.referrerPolicy] = "no-referrer"
        return reply
    }

    /// Text that stays text, inside of quotation marks too.
    private static func escaped(_ text: String) -> String { MarkupEscapes([.quotes, .apostrophes]).escaped(text) }
}

extension HTTPField.Name {
    static let referrerPolicy = Self.known("Referrer-Policy")
}
