internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    /// The caller's token.
    func token() throws(AppNetFailure) -> AppNetToken {
        guard let token = caller.token else { throw .noToken }
        return token
    }

    /// The Token object (§3.5).
    func json(_ token: AppNetToken) throws -> JSONValue { try renderer.token(token, maxima: maxima) }

    /// `GET token`: the caller's, or the one behind a delegate token (§1.3).
    func readToken() throws -> AppNetAnswer { .data(try json(delegatedToken() ?? token())) }

    /// `DELETE token`: the current token dies.
    func deleteToken() throws -> AppNetAnswer {
        let token = try token()
        let answer = AppNetAnswer.data(try json(token))
        try revoke(token)
        return answer
    }

    /// Ends a token and the streams that it opened.
    func revoke(_ token: AppNetToken) throws {
        try tokens.setState(.revoked, of: token.id)
        effects.append(AppNetEvent(kind: .token, object: token.id, actor: token.user, isDeleted: true))
    }

    /// `GET apps/me/tokens/user_ids`
    func listTokenUsers() throws -> AppNetAnswer {
        var seen: Set<Int64> = []
        let users = try tokens.userTokens(of: token().client).compactMap(\.user).filter { seen.insert($0).inserted }
        return .data(.array(users.map { .id($0) }))
    }

    /// `GET apps/me/tokens`
    func listTokens() throws -> AppNetAnswer {
        let all = try tokens.userTokens(of: token().client)
        return try page(
            fetch: { window in
                let items = all.filter { $0.id > window.since ?? 0 && $0.id < window.before ?? .max }
                return Array((window.isAscending ? items : items.reversed()).prefix(window.limit))
            },
            id: \.id,
            render: { try self.json($0) }
        )
    }

    /// `GET config`
    func readConfiguration() -> AppNetAnswer {
        func limits(text: Int?) -> JSONValue {
            var json: JSONValue = ["annotation_max_bytes": .count(TextLimits.annotationBytes)]
            if let text { json["text_max_length"] = .count(text) }
            return json
        }
        var file = limits(text: nil)
        // Only pnut's configuration tells it (§6.3).
        if request.isPnut { file["max_size_bytes"] = .count(maxima.uploadBytes) }
        return .data([
            "text": [
                "uri_template_length": [
                    "post_id": .count(TextLimits.postID), "message_id": .count(TextLimits.messageID),
                ]
            ],
            "user": limits(text: TextLimits.user), "file": file, "post": limits(text: TextLimits.post),
            "message": limits(text: TextLimits.message), "channel": limits(text: nil),
        ])
    }
}
