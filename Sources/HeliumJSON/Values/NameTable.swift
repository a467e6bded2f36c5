/// Finds members by the bytes of their names, with open addressing. At least half of the slots are empty.
struct NameTable: Sendable {
    /// The index of a member plus one; 0 for an empty slot.
    private var slots: [UInt32]

    /// Creates an empty table for a number of members. It grows if there are more.
    init(capacity: Int) {
        // The sizes are powers of two, so that a mask is sufficient.
        slots = Array(repeating: 0, count: max(2, capacity).nextPowerOfTwo * 2)
    }

    /// Creates the table of members with distinct names.
    init(of members: [JSONObject.Element], capacity: Int) {
        self.init(capacity: capacity)
        for index in members.indices { slots[slot(for: members[index].name, in: nil)] = UInt32(index + 1) }
    }

    /// Returns the index of the member with this name, or `nil`.
    func index(of name: String, in members: [JSONObject.Element]) -> Int? {
        let found = slots[slot(for: name, in: members)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Adds the name of the next member after `members`. Returns `false` if one of them has this name.
    mutating func insert(_ name: String, after members: [JSONObject.Element]) -> Bool {
        if (members.count + 1) * 2 > slots.count { self = NameTable(of: members, capacity: members.count * 2) }
        let slot = slot(for: name, in: members)
        guard slots[slot] == 0 else { return false }
        slots[slot] = UInt32(members.count + 1)
        return true
    }

    /// Returns the slot of the member with this name, or else the empty slot for it. Without `members`, returns the
    /// empty slot.
    private func slot(for name: String, in members: [JSONObject.Element]?) -> Int {
        var slot = firstSlot(for: name)
        while slots[slot] != 0 {
            if let members, members[Int(slots[slot]) - 1].name.hasSameBytes(as: name) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func firstSlot(for name: String) -> Int {
        // The hash is seeded for each process, so that a peer can't choose names that share a slot.
        var hasher = Hasher()
        name.hashBytes(into: &hasher)
        return hasher.finalize() & (slots.count - 1)
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
