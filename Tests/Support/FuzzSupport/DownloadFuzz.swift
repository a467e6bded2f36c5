import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumKit

extension FuzzTarget {
    static let downloadValidators = FuzzTarget(
        "download-validators",
        examples: [
            "ETag: \"a\"\r\n", "ETag: W/\"a\"\r\nDate: Sun, 06 Nov 1994 08:50:37 GMT\r\n",
            "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:50:37 GMT\r\n",
            "last-modified: Sunday, 06-Nov-94 08:49:37 GMT\r\ndate: Sun Nov  6 08:59:37 1994\r\n",
        ],
        pieces: [
            "ETag:", "Last-Modified:", "Date:", "\"", "W/", " ", ",", "\r\n", "\n", "\r", "\t", "\0", "GMT", "06",
            "1994", "é", "9999", "00:00:00",
        ],
        check: DownloadFuzz.validator
    )

    static let downloadRecords = FuzzTarget(
        "download-records",
        examples: [
            #"{"version":1,"url":"4db0dc7ac335194d76f15fbdacc9b48d5202ee73052b0b9cd4987a5c65f5c30e","#
                + #""validator":{"tag":{"_0":"\"a\""}},"total":7}"#,
            #"{"version":1,"url":"4db0dc7ac335194d76f15fbdacc9b48d5202ee73052b0b9cd4987a5c65f5c30e","#
                + #""validator":{"date":{"_0":"Sun, 06 Nov 1994 08:49:37 GMT"}}}"#,
        ],
        pieces: [
            "{", "}", "\"", "\\\"", "\\r", "\\n", "\\u0000", "null", "-1", "1e999", "9223372036854775808", "tag",
            "date", "_0", "total", "W/", " ", ",", ":", "é", "[[[[[[[[",
        ],
        check: DownloadFuzz.record
    )
}

/// Reads what decides whether a download continues: the validators of responses, and the records beside parts.
package enum DownloadFuzz {
    private static func url(_ path: String) throws -> RequestURL {
        guard let url = try? RequestURL("https://api.example.com/\(path)") else { throw FuzzFinding("no URL") }
        return url
    }

    /// Checks that the validator of a response fits it, can be sent, and is read again from a record for the same URL only.
    package static func validator(_ bytes: [UInt8]) throws {
        let head = ResponseHead(status: 200, section: bytes)
        guard let validator = DownloadValidator(head) else { return }
        guard !validator.isContradicted(by: head) else { throw FuzzFinding("\(validator) does not fit its response") }
        try requireSendable(validator)
        let record = DownloadRecord(url: try url("a"), validator: validator, total: Int64(bytes.count))
        let written = try record.bytes
        guard DownloadRecord(written, for: try url("a")) == record else {
            throw FuzzFinding("the record of \(validator) is not read again")
        }
        guard DownloadRecord(written, for: try url("b")) == nil else {
            throw FuzzFinding("a record is read for another URL")
        }
    }

    /// Checks that a record that is read has a validator that can be sent and a possible size, and can be written again.
    package static func record(_ bytes: [UInt8]) throws {
        guard let record = DownloadRecord(Data(bytes), for: try url("a")) else { return }
        try requireSendable(record.validator)
        guard record.total ?? 0 >= 0 else { throw FuzzFinding("a resource of \(record.total ?? 0) bytes") }
        guard DownloadRecord(try record.bytes, for: try url("a")) == record else {
            throw FuzzFinding("\(record) changes when it is written again")
        }
    }

    /// Without `If-Range`, a server would send the rest of a resource that has changed.
    private static func requireSendable(_ validator: DownloadValidator) throws {
        let value = validator.fieldValue
        guard !value.isEmpty, HTTPField.isValidValue(value), !value.hasPrefix("W/") else {
            throw FuzzFinding("\(validator) can't be sent in If-Range")
        }
    }
}
