// Members' names, and which of them an object has already.
extension TextAssembly {
    /// Begins a member: its name, and all before it.
    ///
    /// - Parameter repeated: Set to the offset of the object's earlier member of this name, if there is one.
    /// - Returns: The offset of the name.
    @inline(__always)
    mutating func beginMember(
        _ name: String,
        of node: UnsafeMutablePointer<EncodingNode>,
        escapingSlashes: Bool,
        repeated: inout Int?
    ) -> Int {
        var name = name
        return name.withUTF8 { name in
            beginElement(of: node)
            let offset = text.count &+ 1
            text.append(quoting: name, escapingSlashes: escapingSlashes)
            let length = text.count &- 1 &- offset
            text.append(0x3A)
            let hash = Self.hash(text.base + offset, length)
            let entry = NameEntry(
                offset: offset,
                previous: node.pointee.lastName,
                hash: UInt32(truncatingIfNeeded: hash),
                owner: node.pointee.serial
            )
            let bit: UInt64 = 1 &<< (hash &>> 58)
            if node.pointee.nameFilter & bit != 0 || node.pointee.count > Self.fewNames {
                repeated = earlier(entry, in: node, length: length)
            }
            node.pointee.nameFilter |= bit
            node.pointee.lastName = names.count
            names.append(entry)
            return offset
        }
    }

    /// Begins a member whose name no other has; ``EncodingNode/setOtherNames()`` must follow.
    mutating func beginMember(unique name: String, of node: UnsafeMutablePointer<EncodingNode>, escapingSlashes: Bool)
        -> Int
    {
        beginElement(of: node)
        let offset = text.count &+ 1
        text.append(quoting: name, escapingSlashes: escapingSlashes)
        text.append(0x3A)
        return offset
    }

    /// Up to here names are compared one by one.
    private static let fewNames = 32

    /// Of the length and at most sixteen bytes: two may have the same. The buffer goes on for eight bytes at least.
    @inline(__always)
    private static func hash(_ name: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
        if length >= 8 {
            hash ^= Bytes.load8(name) &+ (Bytes.load8(name + (length &- 8)) &* 0xC2B2_AE3D_27D4_EB4F)
        } else {
            hash ^= UInt64(littleEndian: Bytes.load8(name)) & (1 &<< (8 &* UInt64(truncatingIfNeeded: length)) &- 1)
        }
        hash = (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
        return (hash ^ hash &>> 32) &* 0xD6E8_FEB8_6659_FD93
    }

    @inline(never)
    private mutating func earlier(
        _ entry: NameEntry,
        in node: UnsafeMutablePointer<EncodingNode>,
        length: Int
    ) -> Int? {
        // Whether this is among them is found out in the end.
        if node.pointee.hasOtherNames { hasRepeatedNames = true }
        guard node.pointee.count > Self.fewNames else { return earlierByOne(entry, length: length) }
        if node.pointee.count == Self.fewNames + 1 {
            var index = entry.previous
            while let name = self.name(index, of: entry.owner) {
                largeObjects[key(name)] = index
                index = name.previous
            }
        }
        guard let index = largeObjects.updateValue(names.count, forKey: key(entry, length: length)) else { return nil }
        if let name = name(index, of: entry.owner), isEqual(name, entry, length) { return name.offset }
        return earlierByOne(entry, length: length)
    }

    private func earlierByOne(_ entry: NameEntry, length: Int) -> Int? {
        var index = entry.previous
        while let name = name(index, of: entry.owner) {
            if name.hash == entry.hash, isEqual(name, entry, length) { return name.offset }
            index = name.previous
        }
        return nil
    }

    /// An object's name; `nil` if there is none, or it was given up when a value around ended.
    @inline(__always)
    private func name(_ index: Int, of owner: UInt32) -> NameEntry? {
        guard index >= 0, index < names.count, names[index].owner == owner else { return nil }
        return names[index]
    }

    /// Whether the text at both is the same, with the quote behind it.
    private func isEqual(_ name: NameEntry, _ other: NameEntry, _ length: Int) -> Bool {
        Bytes.areEqual(text.base + name.offset, UnsafeBufferPointer(start: text.base + other.offset, count: length + 1))
    }

    /// A hash of all of a name, seeded for each process: nobody can choose names that have one hash.
    private func key(_ entry: NameEntry, length: Int? = nil) -> Int {
        var hasher = Hasher()
        hasher.combine(entry.owner)
        let name = UnsafeRawBufferPointer(
            start: text.base + entry.offset,
            count: length ?? self.length(ofNameAt: entry.offset)
        )
        hasher.combine(bytes: name)
        return hasher.finalize()
    }

    /// The length of an escaped name.
    private func length(ofNameAt offset: Int) -> Int {
        var end = offset
        while text[end] != 0x22 { end += text[end] == 0x5C ? 2 : 1 }
        return end - offset
    }
}

// MARK: Containers of one name

extension TextAssembly {
    /// The array or object that is the value of the member whose name is at `offset`; `nil` if that is something else.
    mutating func container(at offset: Int, of parent: NodeReference, as kind: EncodingNode.Kind) -> NodeReference? {
        let parentIndex = Int(parent.index)
        for index in parentIndex..<nodes.count
        where nodes[index].parent == parentIndex && nodes[index].step == offset && nodes[index].kind != .scalar {
            guard nodes[index].kind == kind else { return nil }
            return NodeReference(index: UInt32(truncatingIfNeeded: index), serial: nodes[index].serial)
        }
        // It was encoded as a whole: its node is gone, and its names with it.
        let start = skipName(offset)
        guard text[start] == (kind == .array ? 0x5B : 0x7B) else { return nil }
        let (end, count) = skipContainer(start)
        return pushClosed(as: kind, step: offset, parent: parentIndex, end: end, count: count)
    }

    /// The offset of the value after a name.
    private func skipName(_ offset: Int) -> Int {
        var offset = offset
        while text[offset] != 0x22 { offset += text[offset] == 0x5C ? 2 : 1 }
        return offset + 2
    }

    /// Where the bracket stands that ends a container, and how much there is before it.
    private func skipContainer(_ start: Int) -> (end: Int, count: Int) {
        var (offset, depth, isInString, commas) = (start, 0, false, 0)
        while offset < text.count {
            switch text[offset] {
            case 0x22: isInString.toggle()
            case 0x5C: offset += 1
            case 0x2C where !isInString && depth == 1: commas += 1
            case 0x5B where !isInString, 0x7B where !isInString: depth += 1
            case 0x5D where !isInString, 0x7D where !isInString: depth -= 1
            default: break
            }
            if depth == 0 { break }
            offset += 1
        }
        let isEmpty = offset == start + 1 && !patches.contains { $0.offset == offset }
        return (offset, isEmpty ? 0 : commas + 1)
    }

    /// The name at an offset, as it was before it was escaped.
    func name(at offset: Int) -> String {
        Unescaper.string(of: UnsafeBufferPointer(start: text.base + offset, count: length(ofNameAt: offset)))
    }
}
