/// The limits on the size and nesting of documents, and the handling of repeated names.
///
/// A document that exceeds a limit is an error that names the limit. The tape has fixed limits: 4 GiB for a document,
/// 256 MiB for one string or number, 268 million values.
public struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting depth of arrays and objects. Default: 512, as in Foundation.
    public var maximumDepth: Int

    /// The maximum size of a document in bytes. Default: only the tape's limit.
    public var maximumBytes: Int

    /// The maximum number of values in a document, where each member's name counts as one. Default: only the tape's
    /// limit.
    public var maximumValues: Int

    /// The longest run of combining marks in a member's name, in Unicode scalars. Default: 256.
    ///
    /// Dictionaries and coding keys compare names by canonical equivalence, which takes quadratic time for such a run.
    /// A name of 240 KB would block a thread for minutes. Values may have any number of marks.
    public var maximumNameMarks: Int

    /// The handling of a second member with the same name. Default: ``DuplicateMembers/firstWins``.
    public var duplicateMembers: DuplicateMembers

    /// Creates limits. Each parameter has the default of its property.
    public init(
        maximumDepth: Int = 512,
        maximumBytes: Int = .max,
        maximumValues: Int = .max,
        maximumNameMarks: Int = 256,
        duplicateMembers: DuplicateMembers = .firstWins
    ) {
        self.maximumDepth = maximumDepth
        self.maximumBytes = maximumBytes
        self.maximumValues = maximumValues
        self.maximumNameMarks = maximumNameMarks
        self.duplicateMembers = duplicateMembers
    }

    /// The handling of a second member with the same name in one object, which RFC 8259 §4 leaves open.
    public enum DuplicateMembers: Hashable, Sendable {
        /// The first member is used, as in Foundation's decoder.
        case firstWins
        /// The document is an error.
        case refused
    }
}
