internal import HeliumJSON
internal import HeliumServerKit

/// What was measured at an instant.
struct Reading: Hashable, Sendable {
    var instant: ServerInstant
    var value: Double
}

extension Reading {
    /// Reads an element of a request (ConAir.md, "The web service"): `value` counts before `temperature`, and `null` is missing.
    ///
    /// - Throws: What is wrong with the element.
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

    /// Reads a request's body.
    ///
    /// - Throws: What is wrong, and with which element.
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

    /// The most elements of a request.
    static let maximumCount = 10_000
    /// The longest body of a request.
    static let maximumBytes = 1 << 20
}

/// A body that is not stored.
struct ReadingFault: Error {
    var text: String
    /// The place of the element, from 0; `nil` if the body as a whole is wrong.
    var index: Int?
    /// Whether it has more elements than are taken.
    var isTooLong = false

    init(_ text: String, index: Int? = nil, isTooLong: Bool = false) {
        self.text = text
        self.index = index
        self.isTooLong = isTooLong
    }
}
