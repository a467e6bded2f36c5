/// What a request of the live socket asks for (§14.2).
public struct SocketMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name, in lower case.
    public let rawValue: String

    /// A method by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a document.
    public static let get = Self(rawValue: "get")
    /// Changes a document.
    public static let put = Self(rawValue: "put")
    /// Creates a document.
    public static let post = Self(rawValue: "post")
    /// Deletes a document.
    public static let delete = Self(rawValue: "delete")

    static let subscribe = Self(rawValue: "subscribe")
    static let unsubscribe = Self(rawValue: "unsubscribe")
}
