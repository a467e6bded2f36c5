import HeliumCore
internal import HeliumKit

extension FuzzTarget {
    static let challenges = FuzzTarget(
        "challenges",
        examples: [
            #"Bearer realm="a", error="invalid_token", error_description="d\"e""#, "Basic realm=a, Bearer error=x",
            "Negotiate YWJj==, Bearer",
        ],
        pieces: ["Bearer", "error", "=", "\"", "\\", ",", " ", "\t", "invalid_token", "Basic", "é", "\0"],
        check: TokenFuzz.challenge
    )

    static let tokenStores = FuzzTarget(
        "token-stores",
        examples: [
            #"{"entries":[{"key":{"devicesURL":"https://a.example/","secretID":"1"},"registration":{"clockOffset":"#
                + #"{"attoseconds":0,"seconds":600},"deviceInfoHash":"h","token":"abc"}}],"version":1}"#,
            #"{"entries":[],"version":1}"#, #"{"entries":[],"version":2}"#, "HELIUM-TOKENS-1\nx",
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "1", "-1", "1e999", "9223372036854775807",
            "-9223372036854775808", "\"seconds\":", "\"attoseconds\":", "\"token\":", "\"version\":", "\\u0000",
            "HELIUM-TOKENS-1\n", "[[[[[[[[", "é",
        ],
        check: TokenFuzz.store
    )
}

/// Reads the challenges of responses, and the files in which tokens are kept.
package enum TokenFuzz {
    package static func challenge(_ bytes: [UInt8]) throws {
        guard let error = BearerChallenge.error(in: String(decoding: bytes, as: UTF8.self)) else { return }
        guard error == error.lowercased() else { throw FuzzFinding("\(error) is not in lower case") }
    }

    /// Checks that a store that is read can be written, and is then read as the same.
    package static func store(_ bytes: [UInt8]) throws {
        let document: TokenStoreDocument
        do throws(TokenStoreError) {
            document = try TokenStoreDocument(bytes: bytes, key: nil, location: "a")
        } catch {
            return
        }
        let written = try document.bytes(key: nil, location: "a")
        let again = try TokenStoreDocument(bytes: written, key: nil, location: "a").bytes(key: nil, location: "a")
        guard written == again else { throw FuzzFinding("a token store changes when it is written again") }
    }
}
