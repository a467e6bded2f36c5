import Foundation
import HeliumFoundation
import Testing

@testable import HeliumKit

@Suite("Description of a device")
struct DeviceInfoTests {
    private func json(_ info: DeviceInfo) -> String {
        String(decoding: info.canonicalJSON, as: UTF8.self)
    }

    @Test("a device description is encoded as documented, sorted and unescaped")
    func shape() {
        let info = DeviceInfo(
            culture: "de-DE",
            appID: "de.example.tv",
            appVersion: "1.6.0",
            vendorID: "6F9619FF-8B86",
            advertiserID: "00000000-0000",
            group: .phone,
            model: "iPhone 6s",
            osType: "iOS",
            osVersion: "9.2.1",
            carrierName: "a/b",
            screenResolution: "1334x750",
            notification: .init(token: "abc", environment: .sandbox)
        )
        #expect(
            json(info)
                == #"{"app":{"advertiser":{"id":"00000000-0000"},"id":"de.example.tv","vendor":{"id":"6F9619FF-8B86"},"#
                + #""version":"1.6.0"},"culture":{"code":"de-DE"},"device":{"carrier":{"type":"a/b"},"group":"phone","#
                + #""model":"iPhone 6s","notification":{"environment":"sandbox","token":"abc"},"os":{"type":"iOS","#
                + #""version":"9.2.1"},"screen":{"resolution":"1334x750"}}}"#
        )
    }

    @Test(
        "a device description leaves out members that the server would refuse",
        arguments: [
            DeviceInfo(), DeviceInfo(culture: "en"), DeviceInfo(culture: "zh-Hans-CN"), DeviceInfo(culture: "d1-DE"),
            DeviceInfo(appID: "abcd"), DeviceInfo(appID: String(repeating: "x", count: 51)), DeviceInfo(appID: ""),
            DeviceInfo(appVersion: "1.2.3.4.5"), DeviceInfo(appVersion: "1.1234"), DeviceInfo(appVersion: "1..2"),
            DeviceInfo(appVersion: "10.20.30"), DeviceInfo(appVersion: "1.0b"), DeviceInfo(vendorID: ""),
            DeviceInfo(advertiserID: "x"), DeviceInfo(group: .init(rawValue: "watch")), DeviceInfo(model: ""),
            DeviceInfo(osType: "x"), DeviceInfo(osVersion: ""), DeviceInfo(carrierName: ""),
            DeviceInfo(screenResolution: "wide"), DeviceInfo(notification: .init(token: "")),
        ]
    )
    func refused(info: DeviceInfo) {
        #expect(json(info) == "{}")
    }

    @Test("equal device descriptions have equal hashes (the original's testEquality)")
    func equality() throws {
        let push = DeviceInfo.Notification(token: "abc", environment: .sandbox)
        let first = DeviceInfo(bundle: .main, carrierName: "Telekom.de", notification: push)
        let second = DeviceInfo(bundle: .main, carrierName: "Telekom.de", notification: push)
        #expect(first == second)
        #expect(try first.sha256() == second.sha256())
        #expect(try first.sha256().count == 64)
    }

    @Test("every member counts for equality and hash of a device description")
    func differences() throws {
        let base = DeviceInfo(model: "a", notification: .init(token: "abc", environment: .sandbox))
        var other = base
        other.notification?.environment = .production
        #expect(base != other)
        #expect(try base.sha256() != other.sha256())
        other = base
        other.model = "b"
        #expect(base != other)
    }

    @Test(
        "the version of the system is converted to the server's form",
        arguments: [
            ("15.1.0", "15.1.0"), ("6.18.5", "6.18.5"), ("6.18.44-fc-v669", "6.18.44"), ("22.100.100", "22.100"),
            ("999.999.1", "999.999"), ("999.9991", "999"), ("1.2.3.4", "1.2.3.4"), ("1.2.3.45", "1.2.3"),
            ("5.4096.1", "5"), ("5.", "5"), ("2024.1.1", nil as String?), ("", nil), (".1", nil), ("x1", nil),
        ]
    )
    func versions(text: String, expected: String?) {
        #expect(DeviceInfo.version(of: text) == expected)
    }

    @Test(
        "the culture of a device has language and region, or is left out",
        arguments: [
            ("de_DE", "de-DE"), ("en_GB.UTF-8", "en-GB"), ("en", nil), ("zh-Hans_CN", "zh-CN"), ("es_419", nil),
            ("de_DE@euro", "de-DE"), ("C.UTF-8", nil), ("POSIX", nil), ("", nil), ("de_", nil),
        ]
    )
    func cultures(locale: String, expected: String?) {
        #expect(DeviceInfo.culture(ofLocale: locale) == expected)
    }

    @Test("the description of a device shows no push token")
    func redaction() {
        let info = DeviceInfo(notification: .init(token: "pu5htoken"))
        var dumped = ""
        dump(info, to: &dumped)
        #expect(!dumped.contains("pu5htoken") && !"\(info)".contains("pu5htoken"))
    }
}
