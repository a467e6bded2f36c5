import Foundation
import HeliumJSON
import Testing

struct Point: Codable, Equatable {
    var x: Double
    var y: Int?
    var names: [String]
    var at: Date?
    var more: [String: [Bool]]
}

@Test func decodesAPoint() throws {
    let text = #"{"x":1.5,"names":["a","é\n"],"y":null,"at":"2016-02-12T08:00:07.5Z","more":{"k":[true,false]},"x":9}"#
    let point = try HeliumJSONDecoder().decode(Point.self, from: text)
    #expect(point.x == 1.5)
    #expect(point.names == ["a", "é\n"])
    #expect(point.at == Date(timeIntervalSince1970: 1_455_264_007.5))
    #expect(point.more == ["k": [true, false]])
}

@Test func saysWhere() throws {
    let error = #expect(throws: DecodingError.self) {
        _ = try HeliumJSONDecoder().decode([Point].self, from: "[\n {\"x\":1,\"names\":[\"é\", 2]}]")
    }
    #expect(error?.jsonLocation == JSONLocation(line: 2, column: 23, byteOffset: 25))
}
