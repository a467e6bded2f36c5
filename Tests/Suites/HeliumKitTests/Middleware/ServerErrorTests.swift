import Foundation
import HeliumKit
import Testing

@Suite("Errors of the middleware server")
struct ServerErrorTests {
    private func errors(_ json: String) -> [ServerError] {
        ResponseEnvelope.middleware.serverErrors(
            in: Data(json.utf8),
            as: ServerError.self,
            using: FoundationJSONDecoder()
        )
    }

    @Test("server errors have every violation in order, with any members")
    func all() {
        let found = errors(
            #"""
            {"status":400,"errors":[
              {"code":"MinLengthUnderachieved","id":"app.id","msg":"app.id length is less than 5 chars","in":"body"},
              {},{"code":17},{"msg":"x"},"text",{"code":null,"id":["a"]}]}
            """#
        )
        #expect(found.count == 6)
        #expect(
            found[0]
                == ServerError(
                    code: "MinLengthUnderachieved",
                    id: "app.id",
                    message: "app.id length is less than 5 chars",
                    location: "body"
                )
        )
        #expect(found[1] == ServerError())
        #expect(found[2].code == "17")
        #expect(found[3].message == "x")
        #expect(found[4] == ServerError())
        #expect(found[5] == ServerError())
    }

    @Test(
        "a body without an array of errors has no server errors",
        arguments: ["", "<html>busy</html>", "{}", "[]", #"{"errors":{}}"#, #"{"errors":null}"#, "null", "1"]
    )
    func none(body: String) {
        #expect(errors(body).isEmpty)
    }

    @Test("the description of a server error has its members")
    func description() {
        #expect("\(ServerError(code: "C", id: "i", message: "m", location: "query"))" == "C (i in query): m")
        #expect("\(ServerError(message: "m"))" == "m")
        #expect("\(ServerError())" == "")
    }
}
