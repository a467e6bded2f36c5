package import HTTPTypes

/// A call of the service: its endpoint in each dialect, and the tokens and scopes that it requires.
///
/// Every call of Docs/Protocols/AppNet.md §2 and §6.2 is one value in ``CallTable``. The client sends calls by these
/// values, and tests iterate over them.
package struct CallSpecification: Sendable {
    /// The method and path of a call in one dialect.
    package struct Endpoint: Sendable, Hashable {
        /// The method.
        package let method: HTTPRequest.Method

        /// The path relative to the base URL. Segments such as `:name` are placeholders.
        package let path: String

        /// The query parameters that distinguish the call from others with the same path, such as `ids`.
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

    /// The kind of token that a call requires (Docs/Protocols/AppNet.md §1.2).
    package enum TokenRule: String, Sendable, Hashable {
        /// No token is required. A token that is sent personalizes the response.
        case none
        /// A user token.
        case user
        /// An app token.
        case app
        /// Either kind.
        case any
        /// No token is required, but without one only public data is visible.
        case varies
    }

    /// The name for metrics and tests, such as `channels.create`.
    package let name: String

    /// The endpoint on App.net; `nil` if only pnut.io has the call.
    package let appNet: Endpoint?

    /// The endpoint on pnut.io; `nil` if only App.net has the call.
    package let pnut: Endpoint?

    /// The kind of token that the call requires.
    package let tokens: TokenRule

    /// The scopes of which a user token needs at least one. Empty if it needs none.
    package let scopes: [AuthScope]

    /// The type of the response's data; `nil` for none.
    package let result: (any AppNetObject.Type)?

    /// Whether the call returns a paginated list (Docs/Protocols/AppNet.md §1.6).
    package let isPaginated: Bool

    /// Whether a user stream can subscribe to the call (Docs/Protocols/AppNet.md §2.14).
    package let isSubscribable: Bool

    /// - Parameters:
    ///   - pnut: The endpoint on pnut.io. The default is the same endpoint.
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

    /// The endpoint of a call on pnut.io.
    enum PnutPlace {
        case same
        case none
        case at(Endpoint)
    }

    /// Returns the endpoint in a dialect; `nil` if the dialect does not have the call.
    package func endpoint(in dialect: AppNetDialect) -> Endpoint? {
        switch dialect {
        case .appNet: appNet
        case .pnut: pnut
        }
    }

    /// Returns whether the call returns values of a type. Calls for one object can also be made for several, and lists
    /// can be decoded item by item.
    func returns<Value: AppNetObject>(_ type: Value.Type) -> Bool {
        let wanted: any AppNetObject.Type = (type as? any ItemList.Type)?.listType ?? type
        func isList<Element: AppNetObject>(of element: Element.Type) -> Bool { wanted == [Element].self }
        return result.map { wanted == $0 || isList(of: $0) } ?? true
    }
}

extension CallSpecification: Hashable {
    /// Returns whether two calls have the same name.
    package static func == (left: CallSpecification, right: CallSpecification) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The table of all calls of the service.
package enum CallTable {
    /// All calls, in the order of the protocol page.
    package static let all: [CallSpecification] =
        channels + messages + markers + files + users + tokens + posts + places + interactions + explore + filters
        + search + streams + pnutOnly

    /// The scopes for channels and messages (Docs/Protocols/AppNet.md §2.1).
    static let messageScopes: [AuthScope] = [.publicMessages, .messages]
}
