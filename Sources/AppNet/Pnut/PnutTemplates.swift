internal import HeliumJSON

/// Translates the template for an object's own id, such as `{post_id}`, which pnut.io calls `{object_id}`, where the
/// services replace it: in the URLs of links and of oembeds (Docs/Protocols/AppNet.md §3.6).
///
/// Other texts are not changed. Because the templates have different lengths, the entities after a link in the text move.
struct PnutTemplates {
    private let template: String
    private let other: String
    private let direction: PnutDirection

    /// Creates a translation.
    ///
    /// - Parameter id: The template of App.net.
    init(_ id: String, _ direction: PnutDirection) {
        (template, other) = direction == .toPnut ? (id, "{object_id}") : ("{object_id}", id)
        self.direction = direction
    }

    func apply(to object: inout JSONObject) {
        translateText(of: &object)
        translateLinks(of: &object)
        if let annotations = object["annotations"]?.arrayValue {
            object["annotations"] = .array(annotations.map(translated))
        }
    }

    private func replacing(_ text: String) -> String { text.replacingBytes(of: template, with: other) }

    /// Translates a member whose value is a text.
    private func translate(_ name: String, of object: inout JSONObject) {
        if let text = object[name]?.stringValue { object[name] = .string(replacing(text)) }
    }
}

// MARK: The text

extension PnutTemplates {
    private func translateText(of object: inout JSONObject) {
        guard let text = object["text"]?.stringValue, !replacing(text).hasSameBytes(as: text) else { return }
        let scalars = Array(text.unicodeScalars)
        let places = places(in: scalars, object["entities"])
        guard !places.isEmpty else { return }
        var replaced: [Unicode.Scalar] = []
        var copied = 0
        for place in places {
            replaced += scalars[copied..<place] + other.unicodeScalars
            copied = place + template.unicodeScalars.count
        }
        object["text"] = .string(String(replaced + scalars[copied...]))
        guard case .object(var entities)? = object["entities"] else { return }
        for (name, list) in entities {
            guard let list = list.arrayValue else { continue }
            entities[name] = .array(list.map { moved($0, places) })
        }
        object["entities"] = .object(entities)
    }

    /// Returns the positions of the template in the links that the service finds in a text.
    private func places(in scalars: [Unicode.Scalar], _ entities: JSONValue?) -> [Int] {
        var given: [LinkSpan] = []
        // What is read has the links that were found, and those that were given.
        if direction == .toPnut, entities?["parse_markdown_links"]?.boolValue != true,
            let links = entities?["links"]?.arrayValue
        {
            guard entities?["parse_links"]?.boolValue == true else { return [] }
            given = TextProcessor.spans(of: links.compactMap(link), in: scalars.count)
        }
        let template = Array(template.unicodeScalars)
        var places: [Int] = []
        for span in LinkScanner.merged(given, foundIn: scalars) where span.given == nil {
            var index = span.range.lowerBound
            while index + template.count <= span.range.upperBound {
                let isHere = scalars[index..<(index + template.count)].elementsEqual(template)
                if isHere { places.append(index) }
                index += isHere ? template.count : 1
            }
        }
        return places
    }

    private func link(_ value: JSONValue) -> Entities.Link? {
        var link = Entities.Link()
        link.position = value["pos"]?.intValue
        link.length = value["len"]?.intValue
        link.url = value["url"]?.stringValue.map { WebAddress($0) }
        return link
    }

    /// Returns an entity with its range in the translated text.
    private func moved(_ entity: JSONValue, _ places: [Int]) -> JSONValue {
        guard case .object(var object) = entity, let position = object["pos"]?.intValue,
            let length = object["len"]?.intValue, position >= 0, length >= 0,
            case let (end, isOutside) = position.addingReportingOverflow(length), !isOutside
        else { return entity }
        let growth = other.unicodeScalars.count - template.unicodeScalars.count
        // Positions come from outside, so they may be as large as an integer can be.
        func shift(_ index: Int) -> Int { growth * count(of: places, before: index) }
        let start = position.addingReportingOverflow(shift(position))
        let (change, isTooLong) = length.addingReportingOverflow(shift(end) - shift(position))
        guard !start.overflow, !isTooLong else { return entity }
        object["pos"] = .number(JSONNumber(start.partialValue))
        if change != length {
            object["len"] = .number(JSONNumber(change))
            if let amended = object["amended_len"]?.intValue {
                let (sum, isTooLong) = amended.addingReportingOverflow(change - length)
                if !isTooLong { object["amended_len"] = .number(JSONNumber(sum)) }
            }
            translate("text", of: &object)
        }
        return .object(object)
    }
}

extension PnutTemplates {
    /// Returns the number of places before an index. A text and its entities may be large.
    private func count(of places: [Int], before index: Int) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

// MARK: URLs

extension PnutTemplates {
    private func translateLinks(of object: inout JSONObject) {
        guard case .object(var entities)? = object["entities"], let links = entities["links"]?.arrayValue else {
            return
        }
        entities["links"] = .array(
            links.map { link in
                guard case .object(var object) = link, object["process_template"]?.boolValue != false else {
                    return link
                }
                translate("url", of: &object)
                return .object(object)
            }
        )
        object["entities"] = .object(entities)
    }

    /// Returns an annotation with the URLs of an oembed translated.
    private func translated(_ annotation: JSONValue) -> JSONValue {
        guard annotation["type"] == "net.app.core.oembed", annotation["process_template"]?.boolValue != false,
            case .object(var object) = annotation, case .object(var value)? = object["value"],
            value["process_template"]?.boolValue != false
        else { return annotation }
        for name in ["url", "poster_url", "thumbnail_url", "embeddable_url"] { translate(name, of: &value) }
        if let sources = value["sources"]?.arrayValue {
            value["sources"] = .array(
                sources.map { source in
                    guard case .object(var object) = source else { return source }
                    translate("url", of: &object)
                    return .object(object)
                }
            )
        }
        object["value"] = .object(value)
        return .object(object)
    }
}
