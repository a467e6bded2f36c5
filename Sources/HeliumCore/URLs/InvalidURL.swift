/// Why a text is no URL that a request can be sent to.
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people; it names the part at fault and never a user name, password or query.
    public let description: String

    package init(_ description: String) { self.description = description }
}
