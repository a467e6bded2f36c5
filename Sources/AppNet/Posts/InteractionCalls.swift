internal import HeliumCore

/// The call for interactions (Docs/Protocols/AppNet.md §2.9).
public struct InteractionCalls: Sendable {
    let client: AppNetClient

    /// Returns the actions of other users that concern the token's user or the user's posts.
    ///
    /// The service groups the actions and rebuilds the list continuously, so fetch it again whenever it is shown. The
    /// pagination ids are specific to this list.
    ///
    /// `GET users/me/interactions`; a user token.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of interactions. The default is all.
    ///   - parameters: The optional members of the response.
    public func list(
        _ kinds: InteractionKinds = .all,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Interaction> {
        client.list(CallRequest(.interactions, parameters), of: kinds)
    }
}

extension AppNetClient {
    /// Returns the list of a call, limited to some kinds of interactions.
    func list(_ request: CallRequest, of kinds: InteractionKinds) -> PagedList<Interaction> {
        var request = request
        do throws(AppNetError) {
            request.query.merge(try kinds.query(in: dialect))
        } catch {
            return PagedList { _, _ in throw error }
        }
        return list(request, of: Interaction.self)
    }
}

/// The kinds of interactions in a list.
public struct InteractionKinds: Hashable, Sendable {
    private let actions: [Interaction.Action]
    private let isExcluding: Bool

    /// All kinds.
    public static let all = Self(actions: [], isExcluding: false)

    /// Returns only the given kinds.
    public static func only(_ actions: Interaction.Action...) -> Self { Self(actions: actions, isExcluding: false) }

    /// Returns all but the given kinds; pnut.io only.
    public static func except(_ actions: Interaction.Action...) -> Self { Self(actions: actions, isExcluding: true) }

    /// Returns the query representation (Docs/Protocols/AppNet.md §2.9, §6.2).
    func query(in dialect: AppNetDialect) throws(AppNetError) -> QueryParameters {
        guard !actions.isEmpty else { return [:] }
        let names = actions.map { dialect == .pnut && $0 == .star ? "bookmark" : $0.rawValue }
        switch (dialect, isExcluding) {
        case (.appNet, true):
            throw AppNetError(.unsupportedByDialect, "App.net can't exclude interactions: request some, or all of them")
        case (.appNet, false): return ["interaction_actions": names.joined(separator: ",")]
        case (.pnut, true): return ["exclude": names.joined(separator: ",")]
        case (.pnut, false): return ["filters": names.joined(separator: ",")]
        }
    }
}
