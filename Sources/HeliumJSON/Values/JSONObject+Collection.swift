extension JSONObject: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// How many members there are.
    public var endIndex: Int { members.count }

    /// The member at a position, which must be one.
    public subscript(position: Int) -> Element { members[position] }

    /// Walks along the members.
    public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

    /// The names of an object's members, in their order.
    public struct Names: RandomAccessCollection, Sendable {
        let members: [JSONObject.Element]

        /// 0.
        public var startIndex: Int { 0 }

        /// How many names there are.
        public var endIndex: Int { members.count }

        /// The name at a position, which must be one.
        public subscript(position: Int) -> String { members[position].name }
    }
}
