internal import AppNet
import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
import HeliumCore
internal import HeliumKit
internal import HeliumTesting

extension FuzzTarget {
    static let appNetErrors = FuzzTarget(
        "appnet-errors",
        // The first byte says the status and the dialect, and the first line has the fields.
        examples: [
            "\u{0}5000,4999,3600,7\n"
                + #"{"meta":{"code":401,"error_message":"m","error_slug":"invalid-token","error_id":"1","retry_in":9}}"#,
            "\u{3}\n"
                + #"{"error":"invalid_grant","error_description":"d EXAMPLE_TOKEN_1234","error_title":"t","error_text":"x"}"#,
            "\u{5}basic messages\n<html><title>502</title>EXAMPLE_TOKEN_1234</html>",
            "\u{7}1,0,99999999999999999999,-1\n{\"meta\":{\"code\":200},\"data\":{\"id\":\"1\"}}",
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "1", "-1", "1e999", "9223372036854775807", "\n", "\\u0045",
            "\"meta\":", "\"code\":", "\"error\":", "\"error_slug\":", "\"retry_in\":", "\"token-expired\"",
            "EXAMPLE_TOKEN_1234", "\\ud83d", "[[[[[[[[", "é", "\0",
        ],
        count: 200_000,
        check: AppNetErrorFuzz.failure
    )

    static let oauthResponses = FuzzTarget(
        "oauth-responses",
        examples: [
            #"{"access_token":"a","token":{"scopes":["basic"],"user":{"id":"1","username":"u"},"client_id":"c"}}"#,
            #"{"access_token":"a","user_id":7,"username":"u"}"#, #"{"delegate_token":"a","token":{"user":{"id":2}}}"#,
            "code=a%20b&state=s", "access_token=a+b&user_id=1&username=u&state=s",
            "error=access_denied&state=s&error=x",
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "1", "1e999", "\"access_token\":", "\"token\":", "\"user\":",
            "\"user_id\":", "\\ud83d", "[[[[[[[[", "&", "=", "+", "%", "%2", "%C3%A9", "%00", "state=s", "code=", "é",
        ],
        check: AppNetErrorFuzz.grant
    )
}

/// Reads what App.net and pnut.io respond when they refuse a call, and when they grant or refuse a sign-in.
package enum AppNetErrorFuzz {
    private static let token = "EXAMPLE_TOKEN_1234"
    private static let statuses = [400, 401, 403, 404, 429, 500, 507, 200]

    /// Every failure of a call is an ``AppNetError``, whose text does not contain the token that the body may quote.
    package static func failure(_ bytes: [UInt8]) async throws {
        let kind = Int(bytes.first ?? 0)
        let line = bytes.dropFirst().prefix { $0 != 10 }
        let body = Data(bytes.dropFirst(line.count + 2))
        let fields = fields(String(decoding: line, as: UTF8.self))
        let status = statuses[kind % statuses.count]
        let transport = MockTransport { _ in .json(bytes: body, status: status, fields: fields) }
        var configuration = AppNetConfiguration(
            token: Secret(token),
            dialect: kind / statuses.count % 2 == 0 ? .appNet : .pnut,
            baseURL: URL(string: "https://api.example.com/")
        )
        configuration.environment = ClientEnvironment(transport: transport)
        configuration.options.retry = .never
        let client = try AppNetClient(configuration: configuration)
        do {
            _ = try await client.users.get(1)
        } catch let error as AppNetError {
            guard !"\(error)".contains(token) else {
                throw FuzzFinding("an error contains the token")
            }
            for delay in [error.rateLimit?.retryAfter, error.rateLimit?.reset].compactMap(\.self) {
                guard delay >= .zero, delay <= .century else {
                    throw FuzzFinding("a delay of \(delay)")
                }
            }
        }
        await client.close()
    }

    private static func fields(_ line: String) -> HTTPFields {
        let names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"]
        var fields = HTTPFields()
        for (name, value) in zip(names, line.split(separator: ",", omittingEmptySubsequences: false)) {
            if let name = HTTPField.Name(name) { fields[name] = String(value) }
        }
        for name in ["X-OAuth-Scopes", "X-ADN-Migrations-Enabled"] {
            if let name = HTTPField.Name(name) { fields[name] = line }
        }
        return fields
    }

    /// Responses of the token endpoint, and the redirects of a sign-in.
    package static func grant(_ bytes: [UInt8]) throws {
        let data = Data(bytes)
        for dialect in [AppNetDialect.appNet, .pnut] {
            for member in ["access_token", "delegate_token"] {
                guard let grant = AccessGrant(data, tokenMember: member, dialect: dialect) else { continue }
                guard !grant.accessToken.value.isEmpty else { throw FuzzFinding("a grant has an empty token") }
                _ = grant.description
            }
        }
        _ = ResponseErrorDetails(data).retryIn
        let signIn = try WebSignIn(
            clientID: "c",
            redirectURI: "https://example.com/",
            scopes: [.basic],
            state: "s",
            dialect: .pnut
        )
        let text = String(decoding: bytes, as: UTF8.self)
        for mark in ["?", "#"] {
            guard let url = URL(string: "https://example.com/" + mark + text) else { continue }
            // Only errors of the client: the functions have typed errors.
            let token: Secret
            do throws(AppNetError) {
                token = try mark == "?" ? signIn.code(from: url) : signIn.grant(from: url).accessToken
            } catch {
                _ = error.description
                continue
            }
            guard !token.value.isEmpty else { throw FuzzFinding("a redirect has an empty token") }
        }
    }
}
