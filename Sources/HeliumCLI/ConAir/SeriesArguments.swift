public import ArgumentParser
public import ConAir
import Cosm
import Foundation

// Types of the ConAir module as command-line arguments.

extension SeriesTime: ExpressibleByArgument {
    /// Parses a time in RFC 3339, or in the format of the service.
    public init?(argument: String) { self.init(argument) }
}

/// A `URL` or `cosm:FEED/DATASTREAM` on the command line or in a variable. ``place(for:)`` validates it, so that the
/// error can contain the reason.
struct SeriesSourceArgument: ExpressibleByArgument {
    /// The location of a series.
    enum Place: Hashable {
        case url(URL)
        case cosm(Feed.ID, datastream: String)
    }

    private static let cosmPrefix = "cosm:"
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// Returns the location.
    ///
    /// - Parameter name: The name of the option or variable, for the error message.
    /// - Throws: `ValidationError` if the text is invalid.
    func place(for name: String) throws -> Place {
        guard text.hasPrefix(Self.cosmPrefix) else { return .url(try WebURL(text).url(for: name)) }
        let parts = text.utf8.dropFirst(Self.cosmPrefix.utf8.count).split(separator: UInt8(ascii: "/"), maxSplits: 1)
            .map { String(Substring($0)) }
        guard parts.count == 2, let feed = Feed.ID(argument: parts[0]) else {
            throw ValidationError(
                "invalid \(name) \"\(PrintableText.line(text))\": use a URL or cosm:FEED/DATASTREAM, for example cosm:504/temp"
            )
        }
        return .cosm(feed, datastream: parts[1])
    }
}

/// A step in whole seconds.
struct StepArgument: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(seconds: Int) { text = "\(seconds)" }

    var defaultValueDescription: String { text }

    /// Returns the step.
    ///
    /// - Throws: `ValidationError` if the text is invalid.
    func duration() throws -> Duration {
        // The store accepts at most 400 days.
        guard let seconds = Int(text), 1...(400 * 86_400) ~= seconds else {
            throw ValidationError("invalid --step \"\(PrintableText.line(text))\": use whole seconds, for example 300")
        }
        return .seconds(seconds)
    }
}

/// A time zone by its name in the tz database.
struct ZoneArgument: ExpressibleByArgument {
    private let name: String

    init?(argument: String) { name = argument }

    /// Returns the time zone.
    ///
    /// - Throws: `ValidationError` if the name is unknown.
    func zone() throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError(
                "invalid --zone \"\(PrintableText.line(name))\": use a name such as Europe/Vienna or UTC"
            )
        }
        return zone
    }
}
