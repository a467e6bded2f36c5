extension JSONObject: RandomAccessCollection {
    /// The start index, 0.
    public var startIndex: Int { 0 }

    /// The number of members.
    public var endIndex: Int { members.count }

    /// The member at a position, which must be valid.
    public subscript(position: Int) -> Element { members[position] }

    /// Creates an iterator over the members.
    public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

    /// The names of an object's members, in their order.
    public struct Names: RandomAccessCollection, Sendable {
        let members: [JSONObject.Element]

        /// The start index, 0.
        public var startIndex: Int { 0 }

        /// The number of names.
        public var endIndex: Int { members.count }

        /// The name at a position, which must be valid.
        public subscript(position: Int) -> String { members[position].name }
    }
}
