internal import Foundation
internal import HeliumServerKit

/// The time zone of the timestamps in a response (Docs/Protocols/Cosm.md §2.2, `timezone`).
enum OutputZone: Hashable, Sendable {
    case utc
    /// A fixed offset in seconds east of UTC.
    case fixed(Int)
    case named(TimeZone)

    /// Creates a zone from signed decimal hours (`+3.5`) or the name of a known city. Other values are UTC, as
    /// Docs/Protocols/Cosm.md §2.2 allows.
    init(parameter: String?) {
        // An unescaped plus sign in a query is a space.
        let text = (parameter ?? "").replacing(" ", with: "+")
        if let hours = Double(text), (-14...14).contains(hours) {
            self = hours == 0 ? .utc : .fixed(Int((hours * 3600).rounded()))
        } else if let identifier = Self.cities[text.lowercased().replacing("+", with: " ")],
            let zone = TimeZone(identifier: identifier)
        {
            self = .named(zone)
        } else {
            self = .utc
        }
    }

    var isUTC: Bool { self == .utc }

    /// Returns the offset at an instant, in seconds east of UTC.
    func offset(at instant: ServerInstant) -> Int {
        switch self {
        case .utc: 0
        case .fixed(let seconds): seconds
        case .named(let zone):
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000))
        }
    }

    /// The names are those of Ruby on Rails, on which the service ran.
    private static let cities = [
        "adelaide": "Australia/Adelaide", "amsterdam": "Europe/Amsterdam", "athens": "Europe/Athens",
        "auckland": "Pacific/Auckland", "beijing": "Asia/Shanghai", "berlin": "Europe/Berlin",
        "brisbane": "Australia/Brisbane", "cairo": "Africa/Cairo", "dublin": "Europe/Dublin",
        "edinburgh": "Europe/London", "eastern time (us & canada)": "America/New_York", "hawaii": "Pacific/Honolulu",
        "hong kong": "Asia/Hong_Kong", "istanbul": "Europe/Istanbul", "lisbon": "Europe/Lisbon",
        "london": "Europe/London", "madrid": "Europe/Madrid", "melbourne": "Australia/Melbourne",
        "moscow": "Europe/Moscow", "mumbai": "Asia/Kolkata", "new delhi": "Asia/Kolkata",
        "pacific time (us & canada)": "America/Los_Angeles", "paris": "Europe/Paris", "rome": "Europe/Rome",
        "singapore": "Asia/Singapore", "stockholm": "Europe/Stockholm", "sydney": "Australia/Sydney",
        "tokyo": "Asia/Tokyo", "vienna": "Europe/Vienna",
    ]
}

extension ServerInstant {
    /// Returns the timestamp of the instant in a zone.
    func text(_ zone: OutputZone) -> String { zone.isUTC ? text() : text(offset: zone.offset(at: self)) }
}
