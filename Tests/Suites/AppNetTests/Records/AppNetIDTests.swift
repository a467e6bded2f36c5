import AppNet
import Foundation
import HeliumJSON
import Testing

@Suite("Ids of App.net")
struct AppNetIDTests {
    @Test(
        "ids are ordered as numbers, before other texts",
        arguments: [
            ("9", "10"), ("2", "12"), ("0", "1"), ("99999999999999999999998", "99999999999999999999999"),
            ("9", "99999999999999999999999"), ("5", "@alice"), ("@alice", "@bob"), ("5", ""), ("7", "007a"),
            ("007", "8"),
        ]
    )
    func order(_ lower: String, _ higher: String) {
        let (lower, higher) = (Message.ID(lower), Message.ID(higher))
        #expect(lower < higher)
        #expect(!(higher < lower))
    }

    @Test("ids of one number with and without leading zeros are ordered")
    func leadingZeros() {
        let ids: [Message.ID] = ["7", "07", "007"]
        #expect(Set(ids.map(\.text)).count == 3)
        #expect(ids.sorted() == ["007", "07", "7"])
    }

    @Test("ids are decoded from numbers and texts, and encoded as texts")
    func coding() throws {
        let ids = try HeliumJSONDecoder().decode([AppNetUser.ID].self, from: #"["1",2,"@alice",12345678901234567890]"#)
        #expect(ids == [1, 2, "@alice", "12345678901234567890"])
        #expect(try HeliumJSONEncoder().encodeToString(ids) == #"["1","2","@alice","12345678901234567890"]"#)
        #expect(try JSONDecoder().decode([AppNetUser.ID].self, from: Data(#"["1",2]"#.utf8)) == [1, 2])
    }
}

@Suite("Dates of App.net")
struct AppNetDateTests {
    @Test(
        "dates are encoded in whole seconds unless they have a fraction",
        arguments: [
            ("2012-12-31T13:22:55Z", "2012-12-31T13:22:55Z"), ("2012-12-31T13:22:55+00:00", "2012-12-31T13:22:55Z"),
            ("2012-12-31T13:22:55.5Z", "2012-12-31T13:22:55.5Z"),
            ("2012-12-31T13:22:55.000001Z", "2012-12-31T13:22:55.000001Z"),
            ("2012-12-31T13:22:55.9999999Z", "2012-12-31T13:22:56Z"), ("2012-12-31", "2012-12-31T00:00:00Z"),
            ("1969-12-31T23:59:59.25Z", "1969-12-31T23:59:59.25Z"),
        ]
    )
    func written(_ text: String, _ expected: String) throws {
        let file = try HeliumJSONDecoder().decode(File.self, from: #"{"created_at":"\#(text)"}"#)
        let again = try HeliumJSONEncoder().encodeToString(file)
        #expect(again == #"{"created_at":"\#(expected)"}"#)
        #expect(try HeliumJSONEncoder().encodeToString(HeliumJSONDecoder().decode(File.self, from: again)) == again)
    }

    @Test(
        "a date outside of the years that have a text is encoded as the nearest one",
        arguments: [-1e300, 1e300, .nan]
    )
    func extreme(_ seconds: Double) throws {
        let written = try HeliumJSONEncoder().encodeToString(File(createdAt: Date(timeIntervalSince1970: seconds)))
        #expect(try HeliumJSONDecoder().decode(File.self, from: written).createdAt != nil)
    }
}
