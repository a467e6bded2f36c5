// The names of members, and the detection of repeated names.
extension TextAssembly {
    /// Begins a member: writes its name and the text before it.
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

    /// Begins a member whose name is unique in its object. ``EncodingNode/setOtherNames()`` must be called afterwards.
    mutating func beginMember(unique name: String, of node: UnsafeMutablePointer<EncodingNode>, escapingSlashes: Bool)
        -> Int
    {
        beginElement(of: node)
        let offset = text.count &+ 1
        text.append(quoting: name, escapingSlashes: escapingSlashes)
        text.append(0x3A)
        return offset
    }

    /// The number of members up to which names are compared one by one.
    private static let fewNames = 32

    /// Returns a hash of the length and at most sixteen bytes, which is not unique. At least eight bytes of the buffer
    /// must be readable.
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
        // The layout determines at the end whether this name is among them.
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

    /// Returns an object's name entry, or `nil` if there is none, or if it was dropped when an enclosing value ended.
    @inline(__always)
    private func name(_ index: Int, of owner: UInt32) -> NameEntry? {
        guard index >= 0, index < names.count, names[index].owner == owner else { return nil }
        return names[index]
    }

    /// Returns whether the text at both offsets is the same, including the quote after it.
    private func isEqual(_ name: NameEntry, _ other: NameEntry, _ length: Int) -> Bool {
        Bytes.areEqual(text.base + name.offset, UnsafeBufferPointer(start: text.base + other.offset, count: length + 1))
    }

    /// Returns a hash of the whole name. It is seeded for each process, so that a peer can't choose names with the same
    /// hash.
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

    /// Returns the length of an escaped name.
    private func length(ofNameAt offset: Int) -> Int {
        var end = offset
        while text[end] != 0x22 { end += text[end] == 0x5C ? 2 : 1 }
        return end - offset
    }
}

// MARK: Repeated containers

extension TextAssembly {
    /// Returns the array or object that is the value of the member whose name is at `offset`, or `nil` if it is another
    /// value.
    mutating func container(at offset: Int, of parent: NodeReference, as kind: EncodingNode.Kind) -> NodeReference? {
        let parentIndex = Int(parent.index)
        for index in parentIndex..<nodes.count
        where nodes[index].parent == parentIndex && nodes[index].step == offset && nodes[index].kind != .scalar {
            guard nodes[index].kind == kind else { return nil }
            return NodeReference(index: UInt32(truncatingIfNeeded: index), serial: nodes[index].serial)
        }
        // The container was encoded as a whole, so its node and the entries of its names no longer exist.
        let start = skipName(offset)
        guard text[start] == (kind == .array ? 0x5B : 0x7B) else { return nil }
        let (end, count) = skipContainer(start)
        return pushClosed(as: kind, step: offset, parent: parentIndex, end: end, count: count)
    }

    /// Returns the offset of the value after a name.
    private func skipName(_ offset: Int) -> Int {
        var offset = offset
        while text[offset] != 0x22 { offset += text[offset] == 0x5C ? 2 : 1 }
        return offset + 2
    }

    /// Returns the offset of a container's closing bracket, and the number of its elements or members.
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

    /// Returns the name at an offset without its escapes.
    func name(at offset: Int) -> String {
        Unescaper.string(of: UnsafeBufferPointer(start: text.base + offset, count: length(ofNameAt: offset)))
    }
}
