/// The facts of a member that its property does not show: the side that writes it, and its form in XML.
struct MemberFacts: Sendable {
    let writer: MemberWriter
    private(set) var form = XMLForm.element

    private init(_ writer: MemberWriter) { self.writer = writer }

    /// Returns the same facts with another form in XML.
    func xml(_ form: XMLForm) -> Self {
        var facts = self
        facts.form = form
        return facts
    }

    static var client: Self { Self(.client) }
    static var clientAtCreation: Self { Self(.clientAtCreation) }
    static var children: Self { Self(.children) }
    static var service: Self { Self(.service) }
    static var serviceAtCreation: Self { Self(.serviceAtCreation) }
    static var serviceOnRequest: Self { Self(.serviceOnRequest) }
}

/// The side that writes a member (Docs/Protocols/Cosm.md §3.3, §5–§8). The service ignores its own members in requests.
enum MemberWriter: Hashable, Sendable {
    /// The client, at any time.
    case client
    /// The client, when it creates the record. From then on the member identifies the record.
    case clientAtCreation
    /// The client, as separate records. A request creates and changes them, but does not delete them.
    case children
    /// The service.
    case service
    /// The service, when the record is created. From then on the member identifies the record.
    case serviceAtCreation
    /// The service, in documents whose request asked for it.
    case serviceOnRequest
}

extension MemberWriter {
    /// Whether requests contain the member.
    var isClient: Bool { self == .client || self == .clientAtCreation || self == .children }

    /// Whether the value is unknown if a document lacks the member. Otherwise the member has no value then.
    var isOptionalInDocuments: Bool {
        self == .clientAtCreation || self == .serviceAtCreation || self == .serviceOnRequest
    }
}

/// The form of a member in XML (Docs/Protocols/Cosm.md §13).
enum XMLForm: Sendable {
    /// An element. The elements of a list are inside of it.
    case element
    /// An element with the attribute `type`, as Rails writes it.
    case typedElement(StaticString)
    /// An element in the namespace of OpenSearch.
    case searchElement
    /// The elements of a list without an enclosing element.
    case elements
    /// An attribute of the record's element.
    case attribute
    /// An attribute of another member's element.
    case attributeOf(StaticString, StaticString)
    /// The text of the record's element.
    case text
    /// No form: XML cannot hold the member.
    case absent
}
