import Foundation
import HTTPTypes
import HeliumKit

extension Check {
    static let credentials: [Check] = [
        Check("/bearer") { bin in
            try await bin.with(.bearer("t0ken")) { helium in
                try expect(
                    try await helium.get("/bearer", returning: Bearer.self).value().token,
                    is: "t0ken",
                    "the token"
                )
            }
            let error = try await bin.failure { try await bin.helium.get("/bearer").value() }
            try expect(error.status, is: 401, "the status without a token")
        },
        Check("/basic-auth") { bin in
            let secret = Data("user:pässword".utf8).base64EncodedString()
            try await bin.with(FieldAuthorizer(name: .authorization, prefix: "Basic ", secret: Secret(secret))) {
                helium in
                try await helium.get("/basic-auth/user/:password").pathReplacements(["password": "pässword"]).value()
                let error = try await bin.failure { try await helium.get("/basic-auth/user/other").value() }
                try expect(error.status, is: 401, "the status with another password")
            }
        },
        Check("/hidden-basic-auth") { bin in
            let error = try await bin.failure { try await bin.helium.get("/hidden-basic-auth/a/b").value() }
            try expect(error.status, is: 404, "the status")
        },
        Check("a redirect on the same origin is authorized anew") { bin in
            try await bin.with(.bearer("t0ken")) { helium in
                try await helium.get("/redirect-to").parameters(["url": "/bearer"]).value()
            }
        },
    ]

    static let failures: [Check] =
        [400, 401, 403, 404, 409, 418, 422, 500, 501].map { status in
            Check("/status/\(status) is a failure, tried once") { bin in
                let error = try await bin.failure { try await bin.helium.get("/status/\(status)").value() }
                try expect(error.status, is: status, "the status")
                try expect(error.attempts.count, is: 1, "the number of attempts")
            }
        }
        + [429, 502, 503, 504].map { status in
            Check("/status/\(status) is tried three times") { bin in
                // A client of its own: the budget for retries is the client's.
                try await bin.with(.none) { helium in
                    let error = try await bin.failure { try await helium.get("/status/\(status)").value() }
                    try expect(error.status, is: status, "the status")
                    try expect(error.attempts.count, is: 3, "the number of attempts")
                }
            }
        } + [
            Check("/status/503 after POST is not tried again") { bin in
                let error = try await bin.failure { try await bin.helium.post("/status/503").value() }
                try expect(error.attempts.count, is: 1, "the number of attempts")
            },
            Check("/status/200,503 succeeds in the end") { bin in
                try await bin.with(.none) { helium in
                    try await helium.get("/status/200:0.6,503:0.4").retry(.attempts(30)).timeout(nil).value()
                }
            },
            Check("/status/204 has no body") { bin in
                try expect(
                    try await bin.helium.get("/status/204", returning: Data.self).value(),
                    is: Data(),
                    "the body"
                )
            },
            Check("/delay/3 beyond the first byte's limit") { bin in
                var timeouts = PhaseTimeouts()
                timeouts.firstByte = .milliseconds(500)
                let error = try await bin.failure {
                    try await bin.helium.get("/delay/3").timeouts(timeouts).retry(.never).value()
                }
                try expect(error.kind, is: .timedOut, "the kind")
                try expect(error.phase, is: .firstByte, "the phase")
            },
            Check("/delay/3 beyond the total limit") { bin in
                let error = try await bin.failure {
                    try await bin.helium.get("/delay/3").timeout(.milliseconds(700)).value()
                }
                try expect(error.phase, is: .total, "the phase")
            },
            Check("/delay/1 within the limits") { bin in try await bin.helium.get("/delay/1").value() },
            Check("/html is no JSON") { bin in
                let error = try await bin.failure {
                    _ = try await bin.helium.get("/html", returning: Echo.self).value()
                }
                try expect(error.kind, is: .decodingFailed, "the kind")
            },
            Check("/etag: If-None-Match gives 304") { bin in
                let answer = try await bin.helium.get("/etag/abc").field(.ifNoneMatch, "\"abc\"")
                    .acceptableStatusCodes(304..<305).response()
                try expect(answer.status, is: 304, "the status")
            },
        ]

    private struct Bearer: Decodable, Sendable { let token: String }
}
