package import HTTPTypes

/// A call of the service: where it is in each dialect, and who may make it.
///
/// Every call of §2 and §6.2 is one value, found through ``CallTable``: methods send by it, tests walk it.
package struct CallSpecification: Sendable {
    /// Method and path of a call in one dialect.
    package struct Endpoint: Sendable, Hashable {
        /// The method.
        package let method: HTTPRequest.Method

        /// The path below the base URL; segments `:name` are placeholders.
        package let path: String

        /// Query parameters that tell the call from others of this path, such as `ids`.
        package let query: [String]

        package init(_ method: HTTPRequest.Method, _ path: String, query: [String] = []) {
            self.method = method
            self.path = path
            self.query = query
        }

        package static func get(_ path: String, query: String...) -> Self { Self(.get, path, query: query) }
        package static func post(_ path: String) -> Self { Self(.post, path) }
        package static func put(_ path: String) -> Self { Self(.put, path) }
        package static func patch(_ path: String) -> Self { Self(.patch, path) }
        package static func delete(_ path: String, query: String...) -> Self { Self(.delete, path, query: query) }
    }

    /// Which tokens a call takes (§1.2).
    package enum TokenRule: String, Sendable, Hashable {
        /// None is needed; one that is sent personalises the answer.
        case none
        /// A user token.
        case user
        /// An app token.
        case app
        /// Either kind.
        case any
        /// Works without, but shows only what is public.
        case varies
    }

    /// A name for metrics and tests: `channels.create`.
    package let name: String

    /// Where it is on App.net; `nil` where only pnut.io has it.
    package let appNet: Endpoint?

    /// Where it is on pnut.io; `nil` where that has none.
    package let pnut: Endpoint?

    /// Which tokens it takes.
    package let tokens: TokenRule

    /// The scopes of which a user token needs one; empty for none.
    package let scopes: [AuthScope]

    /// The type of the response's data; `nil` for none.
    package let result: (any AppNetObject.Type)?

    /// Whether its list comes in pages (§1.6).
    package let isPaginated: Bool

    /// Whether a user stream can subscribe to it (§2.14).
    package let isSubscribable: Bool

    /// - Parameters:
    ///   - pnut: Where pnut.io has it. Default: at the same place.
    init(
        _ name: String,
        _ appNet: Endpoint?,
        pnut: PnutPlace = .same,
        _ tokens: TokenRule,
        scopes: [AuthScope] = [],
        returns result: (any AppNetObject.Type)? = nil,
        pages isPaginated: Bool = false,
        subscribable isSubscribable: Bool = false
    ) {
        self.name = name
        self.appNet = appNet
        self.tokens = tokens
        self.scopes = scopes
        self.result = result
        self.isPaginated = isPaginated
        self.isSubscribable = isSubscribable
        self.pnut =
            switch pnut {
            case .same: appNet
            case .none: nil
            case .at(let endpoint): endpoint
            }
    }

    /// Where pnut.io has a call.
    enum PnutPlace {
        case same
        case none
        case at(Endpoint)
    }

    /// Where the call is in a dialect; `nil` where that has none.
    package func endpoint(in dialect: AppNetDialect) -> Endpoint? {
        switch dialect {
        case .appNet: appNet
        case .pnut: pnut
        }
    }

    /// Whether the table says that the call returns values of a type. Calls for one object may be made for several.
    func returns<Value: AppNetObject>(_ type: Value.Type) -> Bool {
        func isList<Element: AppNetObject>(of element: Element.Type) -> Bool { type == [Element].self }
        return result.map { type == $0 || isList(of: $0) } ?? true
    }
}

extension CallSpecification: Hashable {
    /// Whether two calls have the same name.
    package static func == (left: CallSpecification, right: CallSpecification) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Every call of the service.
package enum CallTable {
    /// All calls, in the page's order.
    package static let all: [CallSpecification] =
        channels + messages + markers + files + users + tokens + posts + places + interactions + explore + filters
        + search + streams + pnutOnly

    /// The scopes of channels and messages (§2.1).
    static let messageScopes: [AuthScope] = [.publicMessages, .messages]
}
