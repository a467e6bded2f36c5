/// The calls of registered apps (AppNet.md §6.2). pnut.io only.
public struct ClientCalls: Sendable {
    let client: AppNetClient

    /// Returns the active apps that a user has registered.
    ///
    /// `GET users/{user}/clients`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func registered(by user: AppNetUser.ID) async throws -> [ClientInfo] {
        try await client.value(CallRequest(.clientsOfUser, ["user": user.text]))
    }

    /// Returns a registered app with its description and its owner.
    ///
    /// `GET clients/{id}`; any token.
    ///
    /// - Parameters:
    ///   - id: The app's client id, for example ``ClientSource/clientID``.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: String, _ parameters: GeneralParameters = GeneralParameters()) async throws -> ClientInfo {
        try await client.value(CallRequest(.client, ["client": id], parameters))
    }
}
