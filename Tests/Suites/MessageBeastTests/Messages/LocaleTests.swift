import AppNet
import Foundation
import GRDB
import Testing

@testable import MessageBeast

/// Each test runs again in a process of its own, because a locale is the process's and read when it starts.
///
/// Foundation on Linux has one locale, whatever the environment says: there the C library's locale, if it is installed, and
/// the time zone are what differs.
@Suite("Locales", .timeLimit(.minutes(5)))
struct LocaleTests {
    private static let mark = "HELIUM_TEST_LOCALE"

    /// Runs a test of this suite in a process with another locale and another time zone.
    ///
    /// - Returns: Whether this is that process, which has to do the work.
    private func isChild(_ test: String) throws -> Bool {
        var environment = ProcessInfo.processInfo.environment
        if environment[Self.mark] != nil {
            setlocale(LC_ALL, "")
            #expect(TimeZone.current.secondsFromGMT() == 20_700)
            return true
        }
        environment.merge([
            Self.mark: "1", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8",
            "TZ": "Asia/Kathmandu",
        ]) { $1 }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", "LocaleTests/\(test)"]
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && text.contains("with 1 test "), "\(text)")
        return false
    }

    @Test("an Ohai date is written in UTC with milliseconds in any locale and time zone", .behaviour(38))
    func dates() throws {
        guard try isChild("dates") else { return }
        var message = Message()
        message.addDisplayDate(Date(timeIntervalSince1970: 1_393_999_628.5))
        #expect(message.annotations?.first?.value == ["date": "2014-03-05T06:07:08.500Z"])
        #expect(message.ohaiDisplayDate == Date(timeIntervalSince1970: 1_393_999_628.5))
    }

    @Test("geolocations have three decimals with a point in every locale", .behaviour(119))
    func coordinates() throws {
        guard try isChild("coordinates") else { return }
        let journal = try Journal()
        let town = GeocodedLocation(locality: "Town")
        try journal.writer.write { database in
            let coordinates = try #require(Coordinates(latitude: 50.1239, longitude: -8.7654))
            try GeolocationTable(database: database).save(town, at: coordinates, now: Milliseconds(1))
        }
        #expect(try journal.sql("SELECT lat_key FROM geolocation") == [50_123])
        #expect(try journal.sql("SELECT lon_key FROM geolocation") == [-8_765])
        try journal.store([
            Journal.message(4, annotations: [LocationTests.ohai(nil, "1.25", "-2.5")]),
            Journal.message(3, annotations: [LocationTests.geolocation(50.1231, -8.7659)]),
            Journal.message(2, annotations: [LocationTests.geolocation(50.124, -8.765)]),
        ])
        let names = try journal.read { reader in
            try [4, 3, 2].map { try reader.message(id: $0)?.displayLocation?.name }
        }
        #expect(names == ["1.25, -2.5", "Town", nil])
        let place = DisplayLocation(name: "Town", latitude: 50.1232, longitude: -8.7658, source: .geolocation)
        #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, at: place)) } == [3])
    }
}
