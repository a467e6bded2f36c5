extension JSONDocument {
    /// Returns a whole number.
    ///
    /// `1.0` and `1e2` are whole numbers too, as in Foundation's decoder. Unlike there, all digits are used.
    @inlinable @inline(__always)
    func integer<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) throws -> Value {
        let word = word(index)
        if word.kind == .integer, let small = NumberText.smallInteger(text(word)), let value = Value(exactly: small) {
            return value
        }
        return try uncommonInteger(at: index, as: type)
    }

    @usableFromInline
    @inline(never)
    func uncommonInteger<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) throws -> Value {
        let word = word(index)
        guard word.isNumber else { throw mismatch(type, at: index) }
        let text = text(word)
        let digits = word.kind == .integer ? String(decoding: text, as: UTF8.self) : NumberText.wholeNumber(text)
        if let value = digits.flatMap({ Value($0) }) { return value }
        throw corrupted("the number does not fit \(type)", at: index)
    }

    /// Returns a number, rounded to the nearest value.
    @inlinable @inline(__always)
    func double(at index: Int) throws -> Double {
        let word = word(index)
        if word.isNumber, let value = NumberText.double(text(word)) { return value }
        return try uncommonFloat(at: index, as: Double.self)
    }

    @inlinable @inline(__always)
    func float(at index: Int) throws -> Float { try uncommonFloat(at: index, as: Float.self) }

    @usableFromInline
    @inline(never)
    func uncommonFloat<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        at index: Int,
        as type: Value.Type
    ) throws -> Value {
        let word = word(index)
        if word.isString, let value = nonConforming(string(word), as: type) { return value }
        guard word.isNumber else { throw mismatch(type, at: index) }
        let text = text(word)
        guard let value = Value(String(decoding: text, as: UTF8.self)), value.isFinite,
            value != 0 || NumberText.isZero(text)
        else { throw corrupted("the number does not fit \(type)", at: index) }
        return value
    }

    private func nonConforming<Value: BinaryFloatingPoint>(_ text: String, as type: Value.Type) -> Value? {
        guard case .convertFromString(let positiveInfinity, let negativeInfinity, let nan) = options.floats else {
            return nil
        }
        return switch ByteText(text) {
        case ByteText(positiveInfinity): .infinity
        case ByteText(negativeInfinity): -.infinity
        case ByteText(nan): .nan
        default: nil
        }
    }
}
