/// JSON text that is written in parts, by code that knows the form of its documents. No values need to be created for
/// data that is only written.
package struct JSONTextAssembly {
    private var buffer: TextBuffer
    private var writer = JSONTextWriter()

    /// Returns the text that `body` writes.
    ///
    /// - Parameter capacity: The approximate number of bytes of the text. Default: 256.
    package static func make(capacity: Int = 256, _ body: (inout JSONTextAssembly) -> Void) -> String {
        var text = JSONTextAssembly(buffer: TextBuffer(capacity: max(capacity, 1)))
        body(&text)
        return text.buffer.takeString()
    }

    private init(buffer: TextBuffer) { self.buffer = buffer }

    /// Appends brackets, commas and names unchanged.
    package mutating func append(syntax: StaticString) { buffer.append(syntax) }

    /// Appends syntax that was created at run time.
    package mutating func append(plainSyntax bytes: UnsafeBufferPointer<UInt8>) { buffer.append(bytes) }

    /// Appends a string in quotes.
    package mutating func append(string: String) { buffer.append(quoting: string, escapingSlashes: false) }

    /// Appends text of ASCII letters and digits in quotes, which needs no escapes.
    package mutating func append(plain bytes: UnsafeBufferPointer<UInt8>) {
        buffer.append(0x22)
        buffer.append(bytes)
        buffer.append(0x22)
    }

    /// Appends a number.
    package mutating func append(integer: Int) { buffer.append(integer: integer) }

    /// Appends a value as compact JSON.
    package mutating func append(_ value: JSONValue) { writer.write(value, into: &buffer) }

    /// Appends an object as compact JSON.
    package mutating func append(_ object: JSONObject) { writer.write(.object(object), into: &buffer) }
}
