internal import HeliumCore

/// The call of interactions (§2.9).
public struct InteractionCalls: Sendable {
    let client: AppNetClient

    /// What others did with the token's user and the user's posts, grouped by the service, which rebuilds the list all
    /// the time: ask for it anew when it is shown. Positions belong to the list.
    ///
    /// `GET users/me/interactions`; a user token.
    ///
    /// - Parameters:
    ///   - kinds: What counts. Default: all.
    ///   - parameters: What the answer is to have.
    public func list(
        _ kinds: InteractionKinds = .all,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Interaction> {
        client.list(CallRequest(.interactions, parameters), of: kinds)
    }
}

extension AppNetClient {
    /// The list of a call's interactions of some kinds.
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

/// Which interactions a list has.
public struct InteractionKinds: Hashable, Sendable {
    private let actions: [Interaction.Action]
    private let isExcluding: Bool

    /// All.
    public static let all = Self(actions: [], isExcluding: false)

    /// Only these.
    public static func only(_ actions: Interaction.Action...) -> Self { Self(actions: actions, isExcluding: false) }

    /// All but these; pnut.io only.
    public static func except(_ actions: Interaction.Action...) -> Self { Self(actions: actions, isExcluding: true) }

    /// As they stand in a query (§2.9, §6.2).
    func query(in dialect: AppNetDialect) throws(AppNetError) -> QueryParameters {
        guard !actions.isEmpty else { return [:] }
        let names = actions.map { dialect == .pnut && $0 == .star ? "bookmark" : $0.rawValue }
        switch (dialect, isExcluding) {
        case (.appNet, true):
            throw AppNetError(.unsupportedByDialect, "App.net leaves no interactions out: ask for some, or for all")
        case (.appNet, false): return ["interaction_actions": names.joined(separator: ",")]
        case (.pnut, true): return ["exclude": names.joined(separator: ",")]
        case (.pnut, false): return ["filters": names.joined(separator: ",")]
        }
    }
}
