extension Int: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension Int8: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension Int16: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension Int32: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension Int64: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension Int128: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt8: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt16: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt32: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt64: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}

extension UInt128: JSONReadable, KeylessReadable {
    /// Reads a whole number in the range of the type.
    @inlinable public init(json: borrowing JSONReader) throws {
        self = try json.document.integer(at: json.index, as: Self.self)
    }
}
