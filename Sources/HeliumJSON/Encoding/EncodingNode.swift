/// A value that is encoded in parts: an array, an object, or what an encoder was made for and nobody knows yet.
struct EncodingNode: BitwiseCopyable {
    enum Kind: UInt8 {
        /// Nothing was encoded yet.
        case fresh
        case scalar
        case array
        case object
    }

    var kind = Kind.fresh

    /// Whether its text, as far as there is one, ends where all text ends.
    var isOpen = true

    /// Of all nodes ever made, which: containers that outlive theirs find another number in its place.
    let serial: UInt32

    /// The node around it; -1: none.
    let parent: Int

    /// How many arrays and objects there are when this is one, itself included.
    let depth: Int

    /// Where in its parent it stands: the element's number, or the offset of the member's name in the text.
    let step: Int

    /// Elements or members.
    var count = 0

    /// If not open: the offset at which more of it has to come in.
    var end = 0

    /// The last member's name; -1: none.
    var lastName = -1

    /// Whether there are members whose names are not among the entries.
    var hasOtherNames = false

    /// A bit for each name's hash.
    var nameFilter: UInt64 = 0

    /// Takes note of members that came without entries.
    mutating func setOtherNames() {
        hasOtherNames = true
        nameFilter = ~0
    }

    /// Where in the final text more of it comes in. A value that nobody wrote yet may end where the container around it
    /// does, and comes first.
    var place: Int { end * 2 + (kind == .fresh ? 0 : 1) }
}

/// What encoders and containers know of their node. Index and number fit one word, so that with the session it is two, and
/// an existential needs no box.
struct NodeReference: BitwiseCopyable {
    let index: UInt32
    let serial: UInt32

    /// The node of what could not be made.
    static let none = NodeReference(index: .max, serial: 0)
}

/// A member's name in the text: names of one object are linked, the last first.
struct NameEntry: BitwiseCopyable {
    let offset: Int
    let previous: Int
    let hash: UInt32
    /// The number of the object's node.
    let owner: UInt32
}

/// A piece of the text that belongs elsewhere.
struct TextPatch {
    /// See ``EncodingNode/place``.
    let place: Int
    /// `nil`: an object without members.
    let range: Range<Int>?

    var offset: Int { place / 2 }
}
