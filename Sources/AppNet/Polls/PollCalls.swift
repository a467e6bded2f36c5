internal import HeliumCore
internal import HeliumJSON

/// The calls for polls; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct PollCalls: Sendable {
    let client: AppNetClient

    /// Creates a poll.
    ///
    /// `POST polls`; a user token with `polls` or `write_post`.
    ///
    /// - Parameters:
    ///   - poll: The poll. The prompt, the type, 2 to 10 options, and either `closedAt` or `duration` are required.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func create(_ poll: Poll, parameters: GeneralParameters = GeneralParameters()) async throws -> Poll {
        try await client.value(CallRequest(.createPoll, body: .object(poll), parameters))
    }

    /// Returns a poll.
    ///
    /// `GET polls/{id}`; a user token with `polls`.
    ///
    /// - Parameters:
    ///   - id: The id of the poll.
    ///   - token: The token of a private poll.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ id: Poll.ID,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        try await client.value(request(.poll, ["poll": id.text], token, parameters))
    }

    /// Returns the polls with the given ids. More than 200 ids are split over several calls.
    ///
    /// `GET polls?ids=`; a user token with `polls`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ ids: [Poll.ID], parameters: GeneralParameters = GeneralParameters()) async throws -> [Poll] {
        try await client.elements(ids, CallRequest(.pollsByID, parameters))
    }

    /// Returns the polls of the token's user.
    ///
    /// `GET users/me/polls`; a user token with `polls`.
    public func own(parameters: GeneralParameters = GeneralParameters()) -> PagedList<Poll> {
        client.list(CallRequest(.ownPolls, parameters))
    }

    /// Returns the polls of the token's user, ordered by the responses to them, latest first.
    ///
    /// `GET users/me/polls/responses`; a user token with `polls`.
    ///
    /// - Parameters:
    ///   - ids: The polls whose responses are listed. The default is all polls of the user.
    ///   - parameters: The optional members of the response.
    public func responses(
        to ids: [Poll.ID] = [],
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Poll> {
        let text = ids.isEmpty ? nil : ids.map(\.text).joined(separator: ",")
        return client.list(CallRequest(.pollResponses, query: ["ids": text], parameters))
    }

    /// Responds to a poll. A later response replaces this one until the poll closes.
    ///
    /// `PUT polls/{id}/response`; a user token with `polls` or `write_post`.
    ///
    /// - Parameters:
    ///   - id: The id of the poll.
    ///   - positions: The positions of the chosen options, at most ``Poll/maximumOptions`` of them. An empty list
    ///     withdraws the response.
    ///   - token: The token of a private poll.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func respond(
        to id: Poll.ID,
        positions: [Int],
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        var request = request(.respondToPoll, ["poll": id.text], token, parameters)
        let chosen = positions.map { JSONValue.number(JSONNumber($0)) }
        request.body = .object(JSONValue.object(["positions": .array(chosen)]))
        return try await client.value(request)
    }

    /// Responds to a poll with one option.
    ///
    /// This is the same as ``respond(to:positions:token:parameters:)`` with one position.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func respond(
        to id: Poll.ID,
        position: Int,
        token: Secret? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Poll {
        try await respond(to: id, positions: [position], token: token, parameters: parameters)
    }

    /// Deletes a poll. Objects that refer to it are not changed.
    ///
    /// `DELETE polls/{id}`; a user token with `polls`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(_ id: Poll.ID) async throws -> Poll {
        try await client.value(CallRequest(.deletePoll, ["poll": id.text]))
    }

    /// Searches polls.
    ///
    /// `GET polls/search`; any token.
    ///
    /// - Parameters:
    ///   - text: Words in prompts. The service only documents filters, so it may ignore the words. The default is none.
    ///   - filters: The service's filters by name: `order`, `created_after`, `created_before`, `creator_id`,
    ///     `exclude_poll_types`, `file_id`, `is_anonymous`, `is_closed`, `is_public`, `poll_types`, `raw_types`,
    ///     `you_responded`.
    ///   - parameters: The optional members of the response.
    public func search(
        _ text: String? = nil,
        filters: [String: String] = [:],
        parameters: GeneralParameters = GeneralParameters()
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
