public import ArgumentParser
public import ConAir
import Cosm
import Foundation

// Values of the ConAir module on a command line.

extension SeriesTime: ExpressibleByArgument {
    /// A time as RFC 3339, or in the form of the service.
    public init?(argument: String) { self.init(argument) }
}

/// `URL` or `cosm:FEED/DATASTREAM` on the command line or in a variable: checked by ``place(for:)``, whose error gives the
/// reason.
struct SeriesSourceArgument: ExpressibleByArgument {
    /// The place of a series.
    enum Place: Hashable {
        case url(URL)
        case cosm(Feed.ID, datastream: String)
    }

    private static let cosmPrefix = "cosm:"
    private let text: String

    init?(argument: String) { text = argument }

    init(_ text: String) { self.text = text }

    /// The place.
    ///
    /// - Parameter name: The option or variable that it comes from: the error names it.
    /// - Throws: `ValidationError`.
    func place(for name: String) throws -> Place {
        guard text.hasPrefix(Self.cosmPrefix) else { return .url(try WebURL(text).url(for: name)) }
        let parts = text.dropFirst(Self.cosmPrefix.count).split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let feed = Feed.ID(argument: String(parts[0])) else {
            throw ValidationError(
                "invalid \(name) \"\(PrintableText.line(text))\": use a URL or cosm:FEED/DATASTREAM, for example cosm:504/temp"
            )
        }
        return .cosm(feed, datastream: String(parts[1]))
    }
}

/// A step in whole seconds.
struct StepArgument: ExpressibleByArgument {
    private let text: String

    init?(argument: String) { text = argument }

    init(seconds: Int) { text = "\(seconds)" }

    var defaultValueDescription: String { text }

    /// The step.
    ///
    /// - Throws: `ValidationError`.
    func duration() throws -> Duration {
        // What the store takes: 400 days at most.
        guard let seconds = Int(text), 1...(400 * 86_400) ~= seconds else {
            throw ValidationError("invalid --step \"\(PrintableText.line(text))\": use whole seconds, for example 300")
        }
        return .seconds(seconds)
    }
}

/// A zone by its name in the tz database.
struct ZoneArgument: ExpressibleByArgument {
    private let name: String

    init?(argument: String) { name = argument }

    /// The zone.
    ///
    /// - Throws: `ValidationError`.
    func zone() throws -> TimeZone {
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError(
                "invalid --zone \"\(PrintableText.line(name))\": use a name such as Europe/Vienna or UTC"
            )
        }
        return zone
    }
}
