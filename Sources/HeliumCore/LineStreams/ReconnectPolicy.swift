/// Whether and when an event stream connects again.
public struct ReconnectPolicy: Hashable, Sendable {
    let isEnabled: Bool

    /// How long to wait before connecting again, until the server says otherwise by `retry`. Default: 3 seconds.
    public var delay: Duration = .seconds(3)

    /// How far repeated failures make the wait grow: the second in a row doubles it, the third doubles it again, and
    /// what was added is multiplied by chance. Default: 60 seconds. It never shortens what the server asks for.
    public var maximumDelay: Duration = .seconds(60)

    /// After how many failures in a row the sequence fails with the last of them; `nil`: never. Default: 10.
    ///
    /// A connection on which at least one byte of the body arrived ends the row. One on which nothing came counts as
    /// a failure, even if it ended in order.
    public var maximumFailures: Int? = 10

    /// The defaults: connects again whenever it may help.
    public init() { isEnabled = true }

    private init(isEnabled: Bool) { self.isEnabled = isEnabled }

    /// Connects again whenever it may help, with the defaults above.
    public static let standard = Self()

    /// Connects once: the stream's end is the sequence's, a failure its failure.
    public static let never = Self(isEnabled: false)
}
