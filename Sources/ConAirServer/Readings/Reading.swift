internal import HeliumJSON
internal import HeliumServerKit

/// A value measured at an instant.
struct Reading: Hashable, Sendable {
    var instant: ServerInstant
    var value: Double
}

extension Reading {
    /// Reads an element of a request (Docs/Protocols/ConAir.md §1.2): `value` takes precedence over `temperature`, and
    /// `null` counts as missing.
    ///
    /// - Throws: The fault of the element.
    init(_ element: JSONValue) throws(ReadingFault) {
        guard case .object(let members) = element else { throw ReadingFault("an element must be an object") }
        guard case .string(let text) = members["ts"], let instant = ServerInstant(readingTime: text) else {
            throw ReadingFault("ts must be a time such as 2012-12-11 20:28:00 +0000 or 2012-12-11T20:28:00Z")
        }
        let number = [members["value"], members["temperature"]].compactMap { $0 }.first { $0 != .null }
        guard let value = number?.numberValue?.doubleValue, value.isFinite else {
            throw ReadingFault("value must be a finite number")
        }
        self.init(instant: instant, value: value)
    }

    /// Reads the body of a request.
    ///
    /// - Throws: The fault, with the index of the element.
    static func list(_ body: [UInt8]) throws(ReadingFault) -> [Reading] {
        guard let text = String(validating: body, as: UTF8.self), case .array(let elements) = JSONValue.parse(text)
        else {
            throw ReadingFault("the body must be a JSON array")
        }
        guard elements.count <= maximumCount else { throw ReadingFault("there are too many elements", isTooLong: true) }
        var readings: [Reading] = []
        readings.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(ReadingFault) {
                readings.append(try Reading(element))
            } catch {
                throw ReadingFault(error.text, index: index)
            }
        }
        return readings
    }

    /// The maximum number of elements in a request.
    static let maximumCount = 10_000
    /// The maximum size of a request body, in bytes.
    static let maximumBytes = 1 << 20
}

/// The reason why a body is not stored.
struct ReadingFault: Error {
    var text: String
    /// The index of the element; `nil` if the body as a whole is invalid.
    var index: Int?
    /// Whether the body has more than the maximum number of elements.
    var isTooLong = false

    init(_ text: String, index: Int? = nil, isTooLong: Bool = false) {
        self.text = text
        self.index = index
        self.isTooLong = isTooLong
    }
}
