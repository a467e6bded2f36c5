internal import HeliumCore

/// The calls of polls (§6.2). pnut.io only.
public struct PollCalls: Sendable {
    let client: AppNetClient

    /// Creates a poll.
    ///
    /// `POST polls`; a user token with `polls` or `write_post`.
    ///
    /// - Parameters:
    ///   - poll: Prompt, type, 2 to 10 options, and `closedAt` or `duration`, all of which it has to have.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func create(_ poll: Poll, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Poll {
        try await client.value(CallRequest(.createPoll, body: .object(poll), parameters))
    }

    /// A poll.
    ///
    /// `GET polls/{id}`; without a token public polls only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - token: The poll's token, of a private one.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ id: Poll.ID,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        try await client.value(request(.poll, ["poll": id.text], token, parameters))
    }

    /// The polls that there are under ids. More than 200 take several calls.
    ///
    /// `GET polls?ids=`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ ids: [Poll.ID], _ parameters: GeneralParameters = GeneralParameters()) async throws -> [Poll] {
        try await client.elements(ids, CallRequest(.pollsByID, parameters))
    }

    /// The polls of the token's user.
    ///
    /// `GET users/me/polls`; a user token with `polls`.
    public func own(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Poll> {
        client.list(CallRequest(.ownPolls, parameters))
    }

    /// Answers a poll; another answer replaces it until the poll closes.
    ///
    /// `PUT polls/{id}/response/{position}`; a user token with `polls` or `write_post`.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - position: The option.
    ///   - token: The poll's token, of a private one.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func respond(
        to id: Poll.ID,
        position: Int,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        let path = ["poll": id.text, "position": String(position)]
        return try await client.value(request(.respondToPoll, path, token, parameters))
    }

    /// Deletes a poll. What refers to it stays as it is.
    ///
    /// `DELETE polls/{id}`; a user token with `polls`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(_ id: Poll.ID) async throws -> Poll {
        try await client.value(CallRequest(.deletePoll, ["poll": id.text]))
    }

    /// Polls by their words.
    ///
    /// `GET polls/search`; a user token.
    ///
    /// - Parameters:
    ///   - text: Words of prompts.
    ///   - filters: Further parameters of the service's, by name.
    ///   - parameters: What the answer is to have.
    public func search(
        _ text: String,
        filters: [String: String] = [:],
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Poll> {
        var query = QueryParameters(filters)
        query["q"] = .single(text)
        return client.list(CallRequest(.searchPolls, query: query, parameters))
    }

    private func request(
        _ call: CallSpecification,
        _ path: [String: String],
        _ token: Secret?,
        _ parameters: GeneralParameters
    ) -> CallRequest {
        var request = CallRequest(call, path, parameters)
        if let token {
            request.query["poll_token"] = .single(token.value)
            request.secrets = [token]
        }
        return request
    }
}
