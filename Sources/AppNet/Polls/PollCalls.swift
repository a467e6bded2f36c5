internal import HeliumCore
internal import HeliumJSON

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
    /// `GET polls/{id}`; a user token with `polls`.
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
    /// `GET polls?ids=`; a user token with `polls`.
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

    /// Returns the polls of the token's user by the responses to them, the latest first.
    ///
    /// `GET users/me/polls/responses`; a user token with `polls`.
    ///
    /// - Parameters:
    ///   - ids: The polls whose responses are listed. Default: all polls of the user.
    ///   - parameters: The optional members of the response.
    public func responses(
        to ids: [Poll.ID] = [],
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Poll> {
        let text = ids.isEmpty ? nil : ids.map(\.text).joined(separator: ",")
        return client.list(CallRequest(.pollResponses, query: ["ids": text], parameters))
    }

    /// Responds to a poll. A later response replaces this one until the poll closes.
    ///
    /// `PUT polls/{id}/response`; a user token with `polls` or `write_post`.
    ///
    /// - Parameters:
    ///   - id: The poll.
    ///   - positions: The chosen options, at most ``Poll/maximumOptions``. An empty list takes the response back.
    ///   - token: The token of a private poll.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func respond(
        to id: Poll.ID,
        positions: [Int],
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        var request = request(.respondToPoll, ["poll": id.text], token, parameters)
        let chosen = positions.map { JSONValue.number(JSONNumber($0)) }
        request.body = .object(JSONValue.object(["positions": .array(chosen)]))
        return try await client.value(request)
    }

    /// Responds to a poll with one option.
    ///
    /// The same as ``respond(to:positions:token:_:)`` with one position.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func respond(
        to id: Poll.ID,
        position: Int,
        token: Secret? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        try await respond(to: id, positions: [position], token: token, parameters)
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

    /// Searches polls.
    ///
    /// `GET polls/search`; any token.
    ///
    /// - Parameters:
    ///   - text: Words of prompts. The service documents filters only, so that it may ignore them. Default: none.
    ///   - filters: The service's filters by name: `order`, `created_after`, `created_before`, `creator_id`,
    ///     `exclude_poll_types`, `file_id`, `is_anonymous`, `is_closed`, `is_public`, `poll_types`, `raw_types`,
    ///     `you_responded`.
    ///   - parameters: The optional members of the response.
    public func search(
        _ text: String? = nil,
        filters: [String: String] = [:],
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Poll> {
        var query = QueryParameters(filters)
        if let text { query["q"] = .single(text) }
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
