internal import HeliumServerKit

/// The parameters of a feed list (Docs/Protocols/Cosm.md §3.1).
struct FeedSearch: Hashable, Sendable {
    enum Content: Hashable, Sendable { case full, summary }
    enum Order: Hashable, Sendable { case created, retrieved, relevance, distance }
    enum Status: Hashable, Sendable { case live, frozen, all }

    /// A circle on the surface of the earth.
    struct Area: Hashable, Sendable {
        let latitude: Double
        let longitude: Double
        /// The radius in kilometres; `nil` for no limit.
        let radius: Double?
    }

    static let defaultPerPage = 50
    static let maximumPerPage = 1_000
    static let maximumWords = 50

    var page = 1
    var itemsPerPage = defaultPerPage
    var content = Content.full
    /// The words of `q`, in lower case.
    var words: [String] = []
    var tag: String?
    var user: String?
    var units: String?
    var status = Status.all
    var order = Order.retrieved
    var area: Area?

    /// The zero-based index of the first feed of the page.
    var startIndex: Int { (page - 1) * itemsPerPage }

    /// Whether the search examines more than a feed's owner and status.
    var needsScan: Bool { !words.isEmpty || tag != nil || units != nil || area != nil }

    /// - Throws: ``CosmFailure`` with 400 for invalid parameters. Numbers out of range are clamped.
    init(_ parameters: FormFields) throws(CosmFailure) {
        // A billion pages are more than any store has.
        page = min(max(try parameters.integer("page") ?? 1, 1), 1_000_000_000)
        itemsPerPage = min(max(try parameters.integer("per_page") ?? Self.defaultPerPage, 1), Self.maximumPerPage)
        content = parameters["content"]?.lowercased() == "summary" ? .summary : .full
        // Each word is searched for in every text of every feed.
        words = Set((parameters["q"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init))
            .sorted()
        guard words.count <= Self.maximumWords else {
            throw .badParameter("q has more than \(Self.maximumWords) words")
        }
        tag = parameters["tag"]?.lowercased()
        user = parameters["user"]
        units = parameters["units"]?.lowercased()
        switch parameters["status"]?.lowercased() {
        case "live": status = .live
        case "frozen": status = .frozen
        case nil, "all": status = .all
        default: throw .badParameter("status is not live, frozen or all")
        }
        area = try Self.area(parameters)
        switch parameters["order"]?.lowercased() {
        case "created_at": order = .created
        case "retrieved_at": order = .retrieved
        case "relevance": order = .relevance
        case nil: order = area != nil ? .distance : words.isEmpty ? .retrieved : .relevance
        default: throw .badParameter("order is not created_at, retrieved_at or relevance")
        }
    }

    private static let kilometresPerMile = 1.609_344

    private static func area(_ parameters: FormFields) throws(CosmFailure) -> Area? {
        let latitude = try parameters.number("lat")
        let longitude = try parameters.number("lon")
        guard let latitude, let longitude else {
            if latitude != nil || longitude != nil { throw .badParameter("lat and lon are needed together") }
            return nil
        }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw .badParameter("lat or lon is out of range")
        }
        var radius = try parameters.number("distance")
        if let given = radius, given < 0 { throw .badParameter("distance is negative") }
        // A client sends the parameter without the s.
        switch (parameters["distance_units"] ?? parameters["distance_unit"])?.lowercased() {
        case nil, "kms", "km", "kilometers", "kilometres": break
        case "miles", "mile", "mi": radius = radius.map { $0 * kilometresPerMile }
        default: throw .badParameter("distance_units is not kms or miles")
        }
        return Area(latitude: latitude, longitude: longitude, radius: radius)
    }
}
