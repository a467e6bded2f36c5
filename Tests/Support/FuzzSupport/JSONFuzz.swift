import Foundation
import HeliumJSON

extension FuzzTarget {
    static let json = FuzzTarget(
        "json",
        examples: [
            #"{"id":"1","text":"a\nb \u00e9 \ud83d\ude00","n":null,"ok":[true,false],"at":"2016-02-12T08:00:07Z"}"#,
            "[0,-1,1.5,-2.5e-3,1E+10,9007199254740993,18446744073709551616,0.1,123456789012345678901234567890]",
            "[[[{\"a\":[[]]}]]]", " { \"a\" : { \"b\" : [ ] , \"c\" : { } } } \n", "\"é日本🎏\"",
            "\u{FEFF}[\"\\\\\\\"\\/\"]",
            "{\"a\":{\"a\":{\"a\":[{\"a\":1},{\"b\":2}]}},\"long name of a member\":\"long text of a member, no escapes\"}",
            "1e5", "null",
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\u0000", "\\ud800", "\\udc00", "\\n", "\\x", "\"\"",
            "\"a\":",
            "null", "true", "false", "nul", "0", "-", "-0", "01", ".", "1e", "E+", "1e999", "1e-999",
            "99999999999999999999",
            " ", "\n", "\t", "\0", "\u{1F}", "\u{7F}", "é", "\u{FEFF}", "🎏", "[[[[[[[[[[[[[[[[", "]]]]]]]]", "{\"a\":",
            "//", "'",
            "NaN", "1.0", "aaaaaaaa",
        ],
        check: JSONFuzz.document
    )
}

/// Reads documents with both decoders.
package enum JSONFuzz {
    package static func document(_ bytes: [UInt8]) throws {
        // Memory of exactly that size, so that Address Sanitizer sees whoever reads beyond it.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        let document = UnsafeRawBufferPointer(memory)

        let value: FuzzJSON?
        do {
            value = try HeliumJSONDecoder().decode(FuzzJSON.self, from: document)
        } catch {
            value = nil
            try check(error, bytes)
        }
        if let value { try check(value, document) }

        guard isComparable(bytes) else { return }
        let other = try? JSONDecoder().decode(FuzzJSON.self, from: Data(bytes))
        if let value, let other, value != other { throw FuzzFinding("\(value), Foundation: \(other)") }
        if (value == nil) != (other == nil) { throw FuzzFinding("\(value as Any), Foundation: \(other as Any)") }
    }

    /// An error says where, inside of the document.
    private static func check(_ error: any Error, _ bytes: [UInt8]) throws {
        guard let error = error as? DecodingError, let place = error.jsonLocation else {
            throw FuzzFinding("\(error) has no place")
        }
        guard 0...bytes.count ~= place.byteOffset, place.line > 0, place.column > 0 else {
            throw FuzzFinding("\(place) is outside")
        }
    }

    /// Checks that a document that was read is read again: as a value, at its limits, and after writing.
    private static func check(_ value: FuzzJSON, _ document: UnsafeRawBufferPointer) throws {
        var decoder = HeliumJSONDecoder()
        let any = try decoder.decode(JSONValue.self, from: document)
        let text = any.data()
        guard try decoder.decode(JSONValue.self, from: text) == any else {
            throw FuzzFinding("\(any) changes by writing")
        }
        guard try decoder.decode(FuzzJSON.self, from: text) == value else {
            throw FuzzFinding("\(value) is read otherwise")
        }
        decoder.limits.maximumBytes = document.count
        decoder.limits.maximumValues = document.count
        guard try decoder.decode(FuzzJSON.self, from: document) == value else {
            throw FuzzFinding("limits change \(value)")
        }
        decoder.limits.maximumBytes -= 1
        guard (try? decoder.decode(FuzzJSON.self, from: document)) == nil else { throw FuzzFinding("a byte too many") }
    }
}

// MARK: Where Foundation is not as strict

extension JSONFuzz {
    /// Whether Foundation's verdict must be ours. Not so for
    /// - UTF-16 and UTF-32, which it takes,
    /// - a comma before a closing bracket, which it lets pass,
    /// - zeros with an exponent, which it takes for numbers too small,
    /// - members of one name: whether the second is right is not all looked at, but more than we do.
    private static func isComparable(_ bytes: [UInt8]) -> Bool {
        if bytes.prefix(4).contains(0) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            return false
        }
        if hasZeroWithExponent(bytes) || hasCommaBeforeBracket(bytes) || hasRepeatedName(bytes) { return false }
        var decoder = HeliumJSONDecoder()
        decoder.limits.duplicateMembers = .refused
        let refusal = #"two members with this name"#
        do {
            _ = try decoder.decode(FuzzJSON.self, from: bytes)
        } catch DecodingError.dataCorrupted(let context) {
            return !((context.underlyingError as? JSONError)?.reason.contains(refusal) ?? false)
        } catch {
            return true
        }
        return true
    }

    /// Wherever it stands, in strings too.
    private static func hasCommaBeforeBracket(_ bytes: [UInt8]) -> Bool {
        var isAfterComma = false
        for byte in bytes where ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if isAfterComma, byte == 0x5D || byte == 0x7D { return true }
            isAfterComma = byte == 0x2C
        }
        return false
    }

    /// Two equal pieces between quotes with colons behind them; also in what is no document.
    private static func hasRepeatedName(_ bytes: [UInt8]) -> Bool {
        let pieces = bytes.split(separator: 0x22, omittingEmptySubsequences: false)
        var names: Set<ArraySlice<UInt8>> = []
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            let isName = next.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x3A
            if isName, !names.insert(piece).inserted { return true }
        }
        return false
    }

    private static func hasZeroWithExponent(_ bytes: [UInt8]) -> Bool {
        var (hasZero, hasOther) = (false, false)
        for byte in bytes {
            switch byte {
            case 0x30: hasZero = true
            case 0x31...0x39: hasOther = true
            case 0x2E: continue
            case 0x45, 0x65:
                if hasZero, !hasOther { return true }
            default: (hasZero, hasOther) = (false, false)
            }
        }
        return false
    }
}

/// Any JSON, every value read: numbers as doubles.
indirect enum FuzzJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([FuzzJSON])
    case object([String: FuzzJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.container(keyedBy: Name.self)) != nil {
            self = .object(try container.decode([String: FuzzJSON].self))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([FuzzJSON].self))
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
