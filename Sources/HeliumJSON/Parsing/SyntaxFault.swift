/// A fault in a document and its byte offset.
struct SyntaxFault: Error, Hashable {
    enum Kind: Hashable {
        case empty
        case unexpectedEnd(wanted: String)
        case unexpectedByte(UInt8, wanted: String)
        case trailingText
        case badLiteral
        case leadingZero
        case badNumber
        case controlCharacter(UInt8)
        case badEscape
        case loneSurrogate
        case badUTF8
        case duplicateMember
        case tooDeep(Int)
        case tooLong(Int)
        case tooManyValues(Int)
        case tooManyMarks(Int)
        case tokenTooLong
        case elementTooLong(Int)
    }

    let kind: Kind
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension SyntaxFault {
    /// A description of the fault. It quotes at most one character of the document.
    var message: String {
        switch kind {
        case .empty: "the document is empty"
        case .unexpectedEnd(let wanted): "expected \(wanted), found the end of the document"
        case .unexpectedByte(let byte, let wanted): "expected \(wanted), found \(Self.name(of: byte))"
        case .trailingText: "text after the document's value"
        case .badLiteral: "expected true, false or null"
        case .leadingZero: "a number has a leading zero"
        case .badNumber: "a digit is missing in a number"
        case .controlCharacter(let byte): "the control character \(Self.name(of: byte)) is not escaped in a string"
        case .badEscape: "invalid escape: use a backslash and one of \"\\/bfnrt, or u and four hexadecimal digits"
        case .loneSurrogate: "an unpaired surrogate"
        case .badUTF8: "the text is not UTF-8"
        case .duplicateMember: "an object has two members with this name"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit) (maximumDepth)"
        case .tooLong(let limit): "the document is longer than \(limit) bytes (maximumBytes)"
        case .tooManyValues(let limit): "the document has more than \(limit) values (maximumValues)"
        case .tooManyMarks(let limit):
            "a member's name has more than \(limit) combining marks in a row (maximumNameMarks)"
        case .tokenTooLong: "a string or number is longer than \(TapeWord.maximumLength) bytes"
        case .elementTooLong(let limit): "an element is longer than \(limit) bytes (maximumElementBytes)"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: "a space"
        default: "byte 0x\(String(byte, radix: 16, uppercase: true))"
        }
    }
}
