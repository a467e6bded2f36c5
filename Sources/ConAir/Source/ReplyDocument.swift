internal import HeliumJSON

/// The reply of the service: an array of `{"ts": …, "value": …, "temperature": …}`.
///
/// The points are read from the bytes of the document, because a date formatter would take longer than everything else
/// together.
package struct ReplyDocument: Sendable {
    /// The points, sorted, and the number of elements that were left out.
    package let reply: SeriesReply
}

extension ReplyDocument: JSONReadable {
    /// Reads an array from a JSON reader.
    ///
    /// - Throws: `DecodingError` for other values.
    package init(json: borrowing JSONReader) throws {
        var assembly = PointAssembly()
        var skipped = 0
        try json.forEachElement { element in
            if let point = SeriesPoint(element: element) { assembly.add(point) } else { skipped += 1 }
        }
        reply = SeriesReply(sorted: assembly.sorted(), skippedCount: skipped)
    }

    /// Reads an array from any decoder.
    ///
    /// - Throws: `DecodingError` for other values.
    package init(from decoder: any Decoder) throws {
        var assembly = PointAssembly()
        var skipped = 0
        for element in try [JSONValue](from: decoder) {
            if let point = SeriesPoint(element: element) { assembly.add(point) } else { skipped += 1 }
        }
        reply = SeriesReply(sorted: assembly.sorted(), skippedCount: skipped)
    }
}

extension SeriesPoint {
    /// Reads the point of an element; `nil` if it has no readable time or no finite number.
    ///
    /// `value` takes precedence over `temperature`, the older name of the same number.
    fileprivate init?(element json: borrowing JSONReader) {
        guard json.kind == .object else { return nil }
        var time: SeriesTime?
        var value: Double?
        var temperature: Double?
        // Neither the object nor its members throw: unreadable values are `nil`.
        try? json.forEachMember { name, member in
            switch name {
            case "ts": time = SeriesTime(json: member)
            case "value": value = Self.number(member)
            case "temperature": temperature = Self.number(member)
            default: break
            }
        }
        guard let time, let number = value ?? temperature else { return nil }
        self.init(time: time, value: number)
    }

    private static func number(_ json: borrowing JSONReader) -> Double? {
        guard json.kind == .number, let number = try? json.read(Double.self), number.isFinite else { return nil }
        return number
    }

    fileprivate init?(element: JSONValue) {
        guard let time = element["ts"]?.stringValue.flatMap({ SeriesTime($0) }),
            let number = [element["value"], element["temperature"]].lazy.compactMap({ $0?.doubleValue }).first(
                where: \.isFinite
            )
        else { return nil }
        self.init(time: time, value: number)
    }
}

extension SeriesTime {
    fileprivate init?(json: borrowing JSONReader) {
        guard json.kind == .string else { return nil }
        // Text with escapes cannot be read directly from the bytes. The service does not write any.
        if let plain = json.withPlainText({ SeriesTime(bytes: $0) }) {
            guard let plain else { return nil }
            self = plain
        } else {
            guard let text = try? json.read(String.self), let time = SeriesTime(text) else { return nil }
            self = time
        }
    }
}
