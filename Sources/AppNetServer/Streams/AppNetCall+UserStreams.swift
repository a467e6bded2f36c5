internal import HTTPTypes
internal import HeliumServerKit

extension AppNetCall {
    /// `GET` of the user stream over chunked HTTP: an answer without an end, whose header names the stream.
    func openUserStream() throws -> AppNetAnswer {
        guard let token = caller.token else { throw AppNetFailure.noToken }
        let reply = ReplyStream(maximumWaiting: LiveLimits.queueBytes, keepAlive: state.keepAlive)
        let sink = ChunkedSink(reply)
        let request = try UserStreams.ConnectionRequest(token, parameters, at: state.microseconds)
        let id = try state.events.userStreams.connect(request, sink) { _ in nil }
        reply.onEnd { [state] in state.events.userStreams.disconnect(id, sink, at: state.microseconds) }
        var answer = ServerReply(status: .ok)
        answer.fields[.contentType] = "application/json"
        answer.fields[.connectionID] = id
        answer.stream = reply
        return .reply(answer)
    }
}

extension UserStreams.ConnectionRequest {
    /// A connection as its query asks for it. pnut's go with their connection, and have no names to go on with (§6.2).
    ///
    /// - Throws: ``AppNetFailure`` with 403 for a token that is no user's.
    init(
        _ token: AppNetToken,
        _ query: AppNetParameters,
        isPnut: Bool = false,
        at now: Int64
    ) throws(AppNetFailure) {
        guard let user = token.user else { throw .forbidden("This call requires a user token.") }
        self.init(
            token: token.id,
            viewer: AppNetViewer(user: user, client: token.client, scopes: token.scopes),
            user: user,
            requestedID: isPnut ? nil : query["connection_id"],
            deletesItself: isPnut || query.flag("auto_delete") ?? false,
            display: GeneralParameters(query, isPnut: isPnut),
            now: now
        )
    }
}

extension HTTPField.Name {
    static let connectionID = Self.known("Connection-Id")
}
