extension JSONDocument {
    /// Decodes the value at `index`.
    @inline(__always)
    func value<Value: Decodable>(at index: Int, as type: Value.Type) throws -> Value {
        switch traits.trait(of: type, { TypeTrait(type, keys: options.keys) }) {
        case .plain: return try type.init(from: TapeDecoder(document: self, index: index))
        case .readable(let readable): return try make(type) { try read(readable, at: index, into: $0) }
        case .date: return try make(type) { try put(date(at: index), into: $0) }
        case .data: return try make(type) { try put(data(at: index), into: $0) }
        case .url: return try make(type) { try put(url(at: index), into: $0) }
        case .decimal: return try make(type) { try put(decimal(at: index), into: $0) }
        case .collection(let collection): return try make(type) { try readAll(collection, at: index, into: $0) }
        }
    }

    /// Returns a value that `write` stores into memory. `Value` has another name there, and a cast would box it.
    @inline(__always)
    private func make<Value>(_ type: Value.Type, _ write: (UnsafeMutableRawPointer) throws -> Void) throws -> Value {
        try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
            let address = memory.baseAddress.unsafelyUnwrapped
            try write(UnsafeMutableRawPointer(address))
            return address.move()
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
