/// Types whose text is one token. A floating-point value may have none.
protocol ScalarText: Encodable, SendableMetatype {
    /// Appends the text. Returns `false` and appends nothing if there is none.
    func append(to session: EncodingSession) -> Bool

    /// Appends `count` values from memory, separated by commas.
    ///
    /// Each type's own copy of this function knows the type, which the encoding of arrays does not.
    static func appendElements(
        _ elements: UnsafeRawPointer,
        count: Int,
        of array: NodeReference,
        to session: EncodingSession
    ) throws
}

extension ScalarText {
    static func appendElements(
        _ elements: UnsafeRawPointer,
        count: Int,
        of array: NodeReference,
        to session: EncodingSession
    ) throws {
        let elements = elements.assumingMemoryBound(to: Self.self)
        for index in 0..<count {
            if index > 0 { session.text.pointee.text.append(0x2C) }
            guard elements[index].append(to: session) else {
                throw session.noNumber(elements[index], at: session.path(to: array) + [PathKey.index(index)])
            }
        }
    }
}

extension ScalarText where Self: FixedWidthInteger {
    @inline(__always)
    func append(to session: EncodingSession) -> Bool {
        session.text.pointee.text.append(integer: self)
        return true
    }
}

extension Int: ScalarText {}
extension Int8: ScalarText {}
extension Int16: ScalarText {}
extension Int32: ScalarText {}
extension Int64: ScalarText {}
extension Int128: ScalarText {}
extension UInt: ScalarText {}
extension UInt8: ScalarText {}
extension UInt16: ScalarText {}
extension UInt32: ScalarText {}
extension UInt64: ScalarText {}
extension UInt128: ScalarText {}

extension Bool: ScalarText {
    func append(to session: EncodingSession) -> Bool {
        session.text.pointee.text.append(bool: self)
        return true
    }
}

extension String: ScalarText {
    func append(to session: EncodingSession) -> Bool {
        session.text.pointee.text.append(quoting: self, escapingSlashes: session.escapesSlashes)
        return true
    }
}

extension Double: ScalarText {
    func append(to session: EncodingSession) -> Bool {
        guard isFinite else { return session.append(nonFinite: self) }
        session.text.pointee.text.append(finite: self)
        return true
    }
}

extension Float: ScalarText {
    func append(to session: EncodingSession) -> Bool {
        guard isFinite else { return session.append(nonFinite: Double(self)) }
        session.text.pointee.text.append(finite: self)
        return true
    }
}

extension TextBuffer {
    @inline(__always)
    mutating func append(bool value: Bool) {
        if value { append("true") } else { append("false") }
    }
}

extension EncodingSession {
    /// Whether infinities and NaN can be written.
    var writesNonFinite: Bool {
        if case .throw = options.floats { return false }
        return true
    }

    fileprivate func append(nonFinite value: Double) -> Bool {
        guard case .convertToString(let positiveInfinity, let negativeInfinity, let nan) = options.floats else {
            return false
        }
        let text = value.isNaN ? nan : value > 0 ? positiveInfinity : negativeInfinity
        return text.append(to: self)
    }
}
