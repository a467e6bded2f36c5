public import HeliumEssentials

/// A type that reads itself directly from a document, without containers and in one pass over an object's members.
///
/// ``HeliumJSONDecoder`` uses it in place of `init(from:)` wherever the type occurs, so a frequently decoded model
/// becomes faster without changes to the code that uses it. Types that are not `JSONReadable` are decoded with
/// `Decodable`.
///
/// ```swift
/// extension Point: JSONReadable {
///     init(json: borrowing JSONReader) throws {
///         var x: Double?
///         var y: Double?
///         try json.forEachMember { name, value in
///             switch name {
///             case "x": x = try value.read()
///             case "y": y = try value.read()
///             default: break
///             }
///         }
///         self.init(x: try json.required(x, "x"), y: try json.required(y, "y"))
///     }
/// }
/// ```
///
/// It must return the same value as `init(from:)`. If a key strategy is set, `init(from:)` is used.
public protocol JSONReadable: Decodable {
    /// Reads the value.
    ///
    /// - Throws: `DecodingError`, like the reader's methods.
    init(json: borrowing JSONReader) throws
}

/// The readable types of this module, to which no key strategy applies.
protocol KeylessReadable {}

extension String: JSONReadable, KeylessReadable {
    /// Reads a string.
    @inlinable public init(json: borrowing JSONReader) throws { self = try json.document.string(at: json.index) }
}

extension Bool: JSONReadable, KeylessReadable {
    /// Reads `true` or `false`.
    @inlinable public init(json: borrowing JSONReader) throws { self = try json.document.bool(at: json.index) }
}

extension Double: JSONReadable, KeylessReadable {
    /// Reads a number, rounded to the nearest value.
    @inlinable public init(json: borrowing JSONReader) throws { self = try json.document.double(at: json.index) }
}

extension Float: JSONReadable, KeylessReadable {
    /// Reads a number, rounded to the nearest value.
    @inlinable public init(json: borrowing JSONReader) throws { self = try json.document.float(at: json.index) }
}

extension Date: JSONReadable, KeylessReadable {
    /// Reads a date with the decoder's strategy.
    public init(json: borrowing JSONReader) throws { self = try json.document.date(at: json.index) }
}

extension URL: JSONReadable, KeylessReadable {
    /// Reads a URL.
    public init(json: borrowing JSONReader) throws { self = try json.document.url(at: json.index) }
}

extension Data: JSONReadable, KeylessReadable {
    /// Reads data with the decoder's strategy.
    public init(json: borrowing JSONReader) throws { self = try json.document.data(at: json.index) }
}

extension Decimal: JSONReadable, KeylessReadable {
    /// Reads a number of up to 38 digits.
    public init(json: borrowing JSONReader) throws { self = try json.document.decimal(at: json.index) }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
    /// Reads a value or `null`.
    @inlinable
    public init(json: borrowing JSONReader) throws { self = json.isNull ? nil : try Wrapped(json: json) }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array's elements.
    @inlinable
    public init(json: borrowing JSONReader) throws {
        self = []
        reserveCapacity(json.elementCount)
        try json.forEachElement { append(try Element(json: $0)) }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object's members.
    @inlinable
    public init(json: borrowing JSONReader) throws {
        self = [:]
        try json.forEachMember { name, value in
            let name = name.string
            // The first member is used if names are equal as strings, too.
            if self[name] == nil { self[name] = try Value(json: value) }
        }
    }
}
