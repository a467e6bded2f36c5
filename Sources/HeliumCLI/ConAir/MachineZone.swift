import ArgumentParser
import Foundation
import HeliumFiles

/// The time zone of the machine: that of the variable `TZ`, otherwise that of the system.
///
/// Foundation reads a value of `TZ` that is not the name of a zone as UTC. The other forms of POSIX are `JST-9`, which
/// is 9 hours east of UTC, and a file after a colon.
struct MachineZone {
    /// The value of the variable; `nil` if it is not set.
    let variable: String?

    /// Returns the time zone.
    ///
    /// - Throws: `ValidationError` if the value of the variable is not a zone of a constant offset, and not the name of
    ///   a zone.
    func zone() throws -> TimeZone {
        guard let variable else { return .current }
        var name = variable[...]
        if name.hasPrefix(":") { name.removeFirst() }
        // Before names, because ICU reads `GMT-9` as 9 hours west of UTC.
        if let zone = Self.constant(name) { return zone }
        if name.hasPrefix("/") { name = Self.name(ofFile: String(name))[...] }
        guard let zone = TimeZone(identifier: String(name)) else {
            throw ValidationError(
                "invalid TZ \"\(PrintableText.line(variable))\": use a name such as Europe/Vienna, or give --zone"
            )
        }
        return zone
    }

    /// Returns the zone of a POSIX value without daylight saving time; `nil` for other texts.
    private static func constant(_ text: Substring) -> TimeZone? {
        let form = #/(?:[A-Za-z]{3,}|<[A-Za-z0-9+\-]+>)(?<sign>[+\-]?)(?<hours>[0-9]{1,2})(?::(?<minutes>[0-5][0-9]))?/#
        guard let match = text.wholeMatch(of: form), let hours = Int(match.hours), hours <= 24 else { return nil }
        let minutes = hours * 60 + (match.minutes.flatMap { Int($0) } ?? 0)
        if minutes == 0 { return .gmt }
        let isEast = match.sign == "-"
        // A name that browsers know, too.
        if minutes % 60 == 0, let zone = TimeZone(identifier: "Etc/GMT\(isEast ? "-" : "+")\(hours)") { return zone }
        return TimeZone(secondsFromGMT: (isEast ? minutes : -minutes) * 60)
    }

    /// Returns the name of the zone that a file of the tz database contains.
    private static func name(ofFile path: String) -> String {
        let real = FileFacts.realPath(path) ?? path
        return real.firstRange(of: "/zoneinfo/").map { String(real[$0.upperBound...]) } ?? real
    }
}
