extension JSONDocument {
    /// Returns the special handling of a type.
    @inline(__always)
    func trait<Value: Decodable>(of type: Value.Type) -> TypeTrait {
        traits.trait(of: type) { TypeTrait(type, keys: options.keys) }
    }

    /// Decodes the value at `index`.
    @inline(__always)
    func value<Value: Decodable>(at index: Int, as type: Value.Type) throws -> Value {
        try value(at: index, as: type, trait(of: type))
    }

    /// Decodes the value at `index` with the trait of its type.
    @inline(__always)
    func value<Value: Decodable>(at index: Int, as type: Value.Type, _ trait: TypeTrait) throws -> Value {
        if case .plain = trait { return try type.init(from: TapeDecoder(document: self, index: index)) }
        return try make(type) { try putSpecial(trait, at: index, into: $0) }
    }

    /// Decodes the value at `index` into memory, which is initialized only if nothing is thrown.
    @inline(__always)
    func decode<Value: Decodable>(
        _ trait: TypeTrait,
        at index: Int,
        into memory: UnsafeMutablePointer<Value>
    ) throws {
        if case .plain = trait {
            memory.initialize(to: try Value(from: TapeDecoder(document: self, index: index)))
        } else {
            try putSpecial(trait, at: index, into: UnsafeMutableRawPointer(memory))
        }
    }

    /// Decodes the value at `index` into memory for a value of the type to which the trait belongs. The memory is used
    /// only after the value has been decoded.
    private func putSpecial(_ trait: TypeTrait, at index: Int, into memory: UnsafeMutableRawPointer) throws {
        switch trait {
        case .plain: preconditionFailure("a type without a trait decodes itself")
        case .readable(let readable): try read(readable, at: index, into: memory)
        case .date: put(try date(at: index), into: memory)
        case .data: put(try data(at: index), into: memory)
        case .url: put(try url(at: index), into: memory)
        case .decimal: put(try decimal(at: index), into: memory)
        case .collection(let collection): try readAll(collection, at: index, into: memory)
        }
    }

    private func put<Value>(_ value: Value, into memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: value)
    }

    private func read<Value: JSONReadable>(
        _ type: Value.Type,
        at index: Int,
        into memory: UnsafeMutableRawPointer
    ) throws {
        put(try Value(json: JSONReader(document: self, index: index)), into: memory)
    }

    private func readAll<Value: TapeCollection>(
        _ type: Value.Type,
        at index: Int,
        into memory: UnsafeMutableRawPointer
    ) throws {
        put(try Value.read(self, at: index), into: memory)
    }
}

// MARK: Memory for one value

extension JSONDocument {
    /// Returns a value that `write` stores into memory. `Value` has another name there, and a cast would box it.
    ///
    /// The memory is a local variable. `withUnsafeTemporaryAllocation` would look up a generic type of the standard
    /// library on each call, in every generic function that may call it.
    @inline(__always)
    private func make<Value>(_ type: Value.Type, _ write: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
        guard MemoryLayout<Value>.size <= MemoryLayout<LocalMemory>.size,
            MemoryLayout<Value>.alignment <= MemoryLayout<LocalMemory>.alignment
        else { return try makeLarge(type, write) }
        var local = LocalMemory()
        return try withUnsafeMutableBytes(of: &local) { bytes in
            let memory = bytes.baseAddress.unsafelyUnwrapped
            try write(memory)
            return memory.assumingMemoryBound(to: Value.self).move()
        }
    }

    @inline(never)
    private func makeLarge<Value>(
        _ type: Value.Type,
        _ write: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Value {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { memory.deallocate() }
        try write(UnsafeMutableRawPointer(memory))
        return memory.move()
    }
}

/// Memory for a value of up to 64 bytes.
private struct LocalMemory {
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
