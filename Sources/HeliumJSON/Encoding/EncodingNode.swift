/// A value that is encoded in parts: an array, an object, or a value whose kind is not known yet.
struct EncodingNode: BitwiseCopyable {
    enum Kind: UInt8 {
        /// Nothing has been encoded yet.
        case fresh
        case scalar
        case array
        case object
    }

    var kind = Kind.fresh

    /// Whether its text so far ends at the end of the whole text.
    var isOpen = true

    /// The serial number among all nodes. Containers that are kept after their node has ended find another number at
    /// its index.
    let serial: UInt32

    /// The index of the enclosing node; -1 for none.
    let parent: Int

    /// The nesting depth if this is an array or object, including itself.
    let depth: Int

    /// The position in its parent: the element's index, or the offset of the member's name in the text.
    let step: Int

    /// The number of elements or members.
    var count = 0

    /// The offset at which further text must be inserted, if the node is not open.
    var end = 0

    /// The entry of the last member's name; -1 for none.
    var lastName = -1

    /// Whether there are members whose names have no entries.
    var hasOtherNames = false

    /// One bit for each name's hash.
    var nameFilter: UInt64 = 0

    /// Records that there are members without entries.
    mutating func setOtherNames() {
        hasOtherNames = true
        nameFilter = ~0
    }

    /// The order of further text in the final text. A value that has not been written yet may end at the same offset as
    /// its container, and comes first.
    var place: Int { end * 2 + (kind == .fresh ? 0 : 1) }
}

/// A reference of encoders and containers to their node. Index and serial number fit into one word, so that an encoder
/// with its session consists of two words and an existential needs no box.
struct NodeReference: BitwiseCopyable {
    let index: UInt32
    let serial: UInt32

    /// The reference to a node that could not be created.
    static let none = NodeReference(index: .max, serial: 0)
}

/// The entry of a member's name in the text. The entries of one object are linked, beginning with the last.
struct NameEntry: BitwiseCopyable {
    let offset: Int
    let previous: Int
    let hash: UInt32
    /// The serial number of the object's node.
    let owner: UInt32
}

/// A part of the text that belongs at another position.
struct TextPatch {
    /// The position; see ``EncodingNode/place``.
    let place: Int
    /// The range in the text; `nil` for an object without members.
    let range: Range<Int>?

    var offset: Int { place / 2 }
}
