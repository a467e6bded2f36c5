/// Finds members by their names' bytes: open addressing, half of the slots empty at least.
struct NameTable: Sendable {
    /// A member's index and one; 0 where there is none.
    private var slots: [UInt32]

    /// An empty table for that many members; more make it grow.
    init(capacity: Int) {
        // Powers of two, so that a mask is all it takes.
        slots = Array(repeating: 0, count: max(2, capacity).nextPowerOfTwo * 2)
    }

    /// The table of members whose names differ.
    init(of members: [JSONObject.Element], capacity: Int) {
        self.init(capacity: capacity)
        for index in members.indices { slots[slot(for: members[index].name, in: nil)] = UInt32(index + 1) }
    }

    /// The index of the member with that name.
    func index(of name: String, in members: [JSONObject.Element]) -> Int? {
        let found = slots[slot(for: name, in: members)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Adds the name of the member that is to come after `members`; `false` if one of them has it.
    mutating func insert(_ name: String, after members: [JSONObject.Element]) -> Bool {
        if (members.count + 1) * 2 > slots.count { self = NameTable(of: members, capacity: members.count * 2) }
        let slot = slot(for: name, in: members)
        guard slots[slot] == 0 else { return false }
        slots[slot] = UInt32(members.count + 1)
        return true
    }

    /// The slot of the member with that name or else the empty one where it belongs: that alone without members.
    private func slot(for name: String, in members: [JSONObject.Element]?) -> Int {
        var slot = firstSlot(for: name)
        while slots[slot] != 0 {
            if let members, members[Int(slots[slot]) - 1].name.hasSameBytes(as: name) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func firstSlot(for name: String) -> Int {
        // Seeded for each process: nobody can choose names that share a slot.
        var hasher = Hasher()
        name.hashBytes(into: &hasher)
        return hasher.finalize() & (slots.count - 1)
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
