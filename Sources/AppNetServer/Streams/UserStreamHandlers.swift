internal import HTTPTypes
internal import HeliumServerKit

/// The calls for user streams (Docs/Protocols/AppNet.md §2.14).
struct UserStreamHandlers: RequestScoped {
    let context: AppNetContext

    private var streams: UserStreams { context.state.events.userStreams }

    /// Handles `GET` of the user stream over chunked HTTP. The response has no end, and its header contains the
    /// stream's id.
    func open() throws -> AppNetResponse {
        let state = context.state
        let reply = ReplyStream(maximumWaiting: LiveLimits.queueBytes, keepAlive: state.keepAlive)
        let sink = ChunkedSink(reply, number: state.events.nextNumber())
        let (token, now) = (try context.token(), state.microseconds)
        let request = try UserStreams.ConnectionRequest(
            token,
            context.parameters,
            context.options,
            from: context.request.address,
            at: now
        )
        let id = try streams.connect(request, sink) { _ in nil }
        try state.events.checkIsCurrent(token.id)
        reply.onEnd { state.events.userStreams.disconnect(id, sink, at: state.microseconds) }
        var answer = AppNetResponse.stream(reply)
        answer.fields[.connectionID] = id
        return answer
    }

    /// Handles `DELETE users/me/streams/{connection}`.
    func delete() throws -> AppNetResponse {
        let (id, token) = (context.segment("connection"), try context.token().id)
        try require(streams.delete(id, token: token), or: .notFound)
        return .noContent
    }

    /// Handles `DELETE users/me/streams/{connection}/{subscription}`.
    func deleteSubscription() throws -> AppNetResponse {
        let isKnown = streams.delete(
            subscription: context.segment("subscription"),
            of: context.segment("connection"),
            token: try context.token().id
        )
        try require(isKnown, or: .notFound)
        return .noContent
    }
}

extension UserStreams.ConnectionRequest {
    /// Creates a request from the query.
    ///
    /// - Throws: ``AppNetFailure`` with 403 if the token is not a user token.
    init(
        _ token: AppNetToken,
        _ query: FormFields,
        _ display: GeneralParameters,
        from address: String,
        at now: Int64
    ) throws(AppNetFailure) {
        guard let user = token.user else { throw .forbidden("This call requires a user token.") }
        self.init(
            token: token.id,
            viewer: AppNetViewer(token),
            user: user,
            address: address,
            requestedID: query["connection_id"],
            deletesItself: query.flag("auto_delete") ?? false,
            display: display,
            now: now
        )
    }
}

extension HTTPField.Name {
    static let connectionID = Self.known("Connection-Id")
}
