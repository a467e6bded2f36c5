import Foundation
import HeliumJSON
import Testing

private struct Page: Codable, Equatable {
    var id: Int
}

private struct Row: Decodable {
    var createdAt: Date
    var seenAt: Date
}

private struct Point: Codable, Equatable {
    var x: Double
    var y: Double
}

// sample
extension Point: JSONReadable {
    init(json: borrowing JSONReader) throws {
        var x: Double?
        var y: Double?
        try json.forEachMember { name, value in
            switch name {
            case "x": x = try value.read()
            case "y": y = try value.read()
            default: break
            }
        }
        self.init(x: try json.required(x, "x"), y: try json.required(y, "y"))
    }
}
// end of sample

// sample
struct Device: Codable {
    var id: String
    var unknown: JSONObject

    enum CodingKeys: String, CodingKey, CaseIterable { case id }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
        unknown = try decoder.unknownMembers(besides: CodingKeys.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try encoder.encode(unknownMembers: unknown)
    }
}
// end of sample

@Suite("Samples: decoding")
struct DecodingSamples {
    @Test("sample of decoding: a document")
    func document() throws {
        let data = Data(#"{"id":7}"#.utf8)
        // sample
        let page = try HeliumJSONDecoder().decode(Page.self, from: data)
        // end of sample
        #expect(page == Page(id: 7))
    }

    @Test("sample of decoding: strategies")
    func strategies() throws {
        // sample
        var decoder = HeliumJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .rules([.rfc3339, .epochSeconds])
        decoder.limits.maximumBytes = 1 << 20
        let row = try decoder.decode(
            Row.self,
            from: #"{"created_at": 1455264007, "seen_at": "2016-02-12T08:00:07.5Z"}"#
        )
        // end of sample
        #expect(row.seenAt.timeIntervalSince(row.createdAt) == 0.5)
    }

    @Test("sample of decoding: a type that decodes itself, and unknown members")
    func types() throws {
        #expect(try HeliumJSONDecoder().decode([Point].self, from: #"[{"x":1,"y":2,"z":3}]"#) == [Point(x: 1, y: 2)])
        let text = #"{"id":"a","more":[1.0],"name":null}"#
        let device = try HeliumJSONDecoder().decode(Device.self, from: text)
        #expect(device.unknown.names.elementsEqual(["more", "name"]))
        #expect(try HeliumJSONEncoder().encodeToString(device) == text)
    }

    @Test("sample of decoding: errors")
    func errors() throws {
        // sample
        do {
            _ = try HeliumJSONDecoder().decode([Int].self, from: "[1,\n 2,\n x]")
        } catch let error as DecodingError {
            print(error.jsonLocation ?? "")  // line 3, column 2 (byte 9)
            print(error.jsonReason ?? "")  // expected a value, found 'x'
        }
        // end of sample
        let error = #expect(throws: DecodingError.self) {
            _ = try HeliumJSONDecoder().decode([Int].self, from: "[1,\n 2,\n x]")
        }
        #expect(error?.jsonLocation?.description == "line 3, column 2 (byte 9)")
        #expect(error?.jsonReason == "expected a value, found 'x'")
    }
}
