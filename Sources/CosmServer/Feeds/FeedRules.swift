internal import HeliumJSON

/// The rules for well-formed input (Docs/Protocols/Cosm.md §3.3, §5). All violations are reported together.
enum FeedRules {
    static let maximumTitle = 255
    static let maximumText = 65_536
    static let maximumValue = 255
    static let maximumID = 255
    static let unitTypes = [
        "basicSI", "derivedSI", "conversionBasedUnits", "derivedUnits", "contextDependentUnits",
    ]

    /// Returns the messages for the violations of a feed. `isNew` is `true` for a feed that is created.
    static func violations(of input: FeedInput, isNew: Bool) -> [String] {
        var messages: [String] = []
        if isNew {
            if isBlank(input.title.newValue) { messages.append("Title can't be blank") }
        } else if input.title == .cleared || (input.title.newValue.map(isBlank) ?? false) {
            messages.append("Title can't be blank")
        }
        if input.title.newValue?.unicodeScalars.count ?? 0 > maximumTitle {
            messages.append("Title is too long (maximum is \(maximumTitle) characters)")
        }
        let texts = [
            ("Description", input.description), ("Website", input.website), ("Email", input.email),
            ("Icon", input.icon), ("Location name", input.location.name),
        ]
        for (name, text) in texts where text.newValue?.utf8.count ?? 0 > maximumText {
            messages.append("\(name) is too long")
        }
        // Each waypoint repeats the elevation.
        if input.location.elevation.newValue?.unicodeScalars.count ?? 0 > maximumValue {
            messages.append("Elevation is too long (maximum is \(maximumValue) characters)")
        }
        if let tags = input.tags.newValue, TagList.joinedLength(tags) > maximumText {
            messages.append("Tags is too long")
        }
        messages += violations(of: input.location)
        var seen: Set<ByteText> = []
        for stream in input.datastreams {
            messages += violations(of: stream)
            if !stream.id.isEmpty, !seen.insert(stream.id) {
                messages.append("Datastreams has a duplicate id: \(stream.id)")
            }
        }
        return messages
    }

    private static func violations(of location: LocationInput) -> [String] {
        var messages: [String] = []
        let choices: [(String, Change<String>, [String])] = [
            ("Domain", location.domain, ["physical", "virtual"]),
            ("Exposure", location.exposure, ["indoor", "outdoor"]),
            ("Disposition", location.disposition, ["fixed", "mobile"]),
        ]
        for (name, change, allowed) in choices {
            if let value = change.newValue, !allowed.contains(value) {
                messages.append("\(name) is not one of \(allowed.joined(separator: ", "))")
            }
        }
        if let latitude = location.latitude.newValue, !(-90...90).contains(latitude) {
            messages.append("Latitude is not between -90 and 90")
        }
        if let longitude = location.longitude.newValue, !(-180...180).contains(longitude) {
            messages.append("Longitude is not between -180 and 180")
        }
        return messages
    }

    /// Returns the messages for the violations of points.
    static func violations(of points: [Datapoint]) -> [String] {
        points.contains { $0.value.unicodeScalars.count > maximumValue }
            ? ["Value is too long (maximum is \(maximumValue) characters)"] : []
    }

    static func violations(of stream: DatastreamInput) -> [String] {
        var messages: [String] = []
        if stream.id.allSatisfy(\.isWhitespace) {
            messages.append("Datastream id can't be blank")
        } else if !isDatastreamID(stream.id) {
            messages.append("Datastream id is invalid: \(stream.id.prefix(64))")
        }
        let values = stream.datapoints.map(\.value) + [stream.currentValue.newValue ?? ""]
        if values.contains(where: { $0.unicodeScalars.count > maximumValue }) {
            messages.append("Value is too long (maximum is \(maximumValue) characters)")
        }
        if let tags = stream.tags.newValue, TagList.joinedLength(tags) > TagList.maximumLength {
            messages.append("Tags is too long (maximum is \(TagList.maximumLength) characters)")
        }
        if let type = stream.unit.type.newValue, !unitTypes.contains(type) {
            messages.append("Unit type is not one of \(unitTypes.joined(separator: ", "))")
        }
        for text in [stream.unit.label, stream.unit.symbol]
        where text.newValue?.unicodeScalars.count ?? 0 > maximumValue {
            messages.append("Unit is too long (maximum is \(maximumValue) characters)")
        }
        return messages
    }

    /// Returns whether an id matches `^[\p{L}\w+.-]+$` and has at most 255 characters.
    static func isDatastreamID(_ id: String) -> Bool {
        guard 1...maximumID ~= id.unicodeScalars.count else { return false }
        return id.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "0"..."9", "_", "+", ".", "-": true
            default:
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
                default: false
                }
            }
        }
    }

    private static func isBlank(_ text: String?) -> Bool { text?.allSatisfy(\.isWhitespace) ?? true }
}
