/// Ceilings on what a document may make grow, and what else is refused.
///
/// Beyond a ceiling a document is an error that names it. The tape has its own, above which no ceiling helps: 4 GiB for
/// a document, 256 MiB for one string or number, 268 million values.
public struct JSONLimits: Hashable, Sendable {
    /// The deepest nesting of arrays and objects. Default: 512, as in Foundation.
    public var maximumDepth: Int

    /// The longest document, in bytes. Default: none but the tape's.
    public var maximumBytes: Int

    /// The most values in a document, each member's name counted as one. Default: none but the tape's.
    public var maximumValues: Int

    /// The longest run of combining marks in a member's name, in Unicode scalars. Default: 256.
    ///
    /// Dictionaries and coding keys compare names by canonical equivalence, which takes time that grows with the square
    /// of such a run: a name of 240 KB would hold a thread for minutes. Values may have any number of marks.
    public var maximumNameMarks: Int

    /// What happens to a second member of the same name. Default: ``DuplicateMembers/firstWins``.
    public var duplicateMembers: DuplicateMembers

    /// Limits; each parameter has the default of its property.
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

    /// What happens to a second member of the same name in one object, which RFC 8259 section 4 leaves open.
    public enum DuplicateMembers: Hashable, Sendable {
        /// The first counts, as in Foundation's decoder.
        case firstWins
        /// The document is an error.
        case refused
    }
}
