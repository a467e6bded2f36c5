internal import AppNet
internal import HeliumJSON

/// A rule for finding the display location of a message. The first rule that succeeds is used.
enum LocationRule: Hashable, Sendable {
    /// An annotation with a name and coordinates.
    case complete(DisplayLocation, PlaceRecord?)
    /// A check-in that the service has not expanded. The name and coordinates come from the place cache.
    case cachedPlace(String)
    /// Coordinates. The name comes from the geocoder's cache.
    case geocoded(Coordinates)

    /// Returns the rules for a message: its check-in, its described place and its coordinates, in this order.
    static func rules(for annotations: [Annotation]) -> [LocationRule] {
        byType.compactMap { type, rule in
            annotations.first { $0.type.hasSameBytes(as: type) }?.value?.objectValue.flatMap(rule)
        }
    }

    private static let byType = [
        (MessageBeastNames.checkin, checkin), (MessageBeastNames.ohaiLocation, ohai),
        (MessageBeastNames.geolocation, geolocation),
    ]

    private static let checkin: @Sendable (JSONObject) -> LocationRule? = { value in
        if let place = value[MessageBeastNames.placeReplacement] {
            return id(place["factual_id"]).map(LocationRule.cachedPlace)
        }
        guard let name = text(value["name"]), let coordinates = Coordinates(value) else { return nil }
        let id = id(value["factual_id"])
        let location = DisplayLocation(
            name: FoldedText.placeName(name),
            factualID: id.map { Place.ID($0) },
            latitude: coordinates.latitude,
            longitude: coordinates.longitude,
            source: .checkin
        )
        return .complete(location, id.map { PlaceRecord(id: $0, name: name, coordinates, isCustom: false, value) })
    }

    private static let ohai: @Sendable (JSONObject) -> LocationRule? = { value in
        guard let coordinates = Coordinates(value) else { return nil }
        let name = text(value["name"])
        let location = DisplayLocation(
            name: name.map(FoldedText.placeName) ?? "\(coordinates.latitude), \(coordinates.longitude)",
            latitude: coordinates.latitude,
            longitude: coordinates.longitude,
            source: .ohai
        )
        guard let id = id(value["id"]), let name else { return .complete(location, nil) }
        return .complete(location, PlaceRecord(id: id, name: name, coordinates, isCustom: true, value))
    }

    private static let geolocation: @Sendable (JSONObject) -> LocationRule? = { value in
        Coordinates(value).map(LocationRule.geocoded)
    }

    private static func text(_ value: JSONValue?) -> String? {
        value?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns an id without U+0000, at which SQLite would end it; `nil` for other ids.
    private static func id(_ value: JSONValue?) -> String? { text(value).flatMap { $0.utf8.contains(0) ? nil : $0 } }
}
