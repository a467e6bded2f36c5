import ArgumentParser
import HeliumKit

/// Options for sending a request and for the output of its response.
struct TransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most attempts, the first included: 1 to 100. Only what does no harm is repeated. Default: 3.",
            valueName: "attempts"
        )
    )
    var retry: Int?

    @Flag(help: "HTTP/2: negotiated over https, by prior knowledge over http.")
    var http2 = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            """
            Write the response's body to this file: it appears when it is whole. Progress is shown on a terminal. - is \
            standard output.
            """,
            valueName: "file"
        )
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            """
            The most bytes that the response's body may have: 500k, 20M, 2G; 0 for no ceiling. With --format json never \
            more than 16M.
            """,
            valueName: "size"
        )
    )
    var maxFilesize = ByteSize(bytes: 8 << 30)

    @Option(
        help: ArgumentHelp(
            "The key that makes all attempts one call for the server; with it a POST is retried too.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    @Flag(help: "Go on where an earlier --output to the same file broke off, if the server's file is still the same.")
    var resume = false

    func validate() throws {
        if let retry, !(1...100 ~= retry) { throw ValidationError("--retry must be 1 to 100") }
        if resume, output == "-" { throw ValidationError("--resume needs a file: standard output keeps nothing") }
        if resume, output == nil { throw ValidationError("--resume needs --output") }
        if output?.isEmpty == true { throw ValidationError("--output names no file") }
    }

    /// The path of the file to write; `nil` for standard output.
    var file: String? { output == "-" ? nil : output }

    /// The options that also apply to the client's own requests, such as a registration.
    var options: ClientOptions {
        var options = ClientOptions()
        if http2 { options.httpVersion = .http2PriorKnowledge }
        return options
    }

    func applied<Value>(to call: RequestBuilder<Value>) -> RequestBuilder<Value> {
        var call = call
        if let retry { call = call.retry(.attempts(retry)) }
        if let idempotencyKey { call = call.idempotencyKey(IdempotencyKey(rawValue: idempotencyKey)) }
        if http2 {
            call = call.httpVersion(.http2PriorKnowledge)
        } else if file == nil {
            call = call.httpVersion(.automatic)
        }
        // As in curl, the body is transferred without a content coding and printed as it arrives.
        return call.acceptsContentCodings(false)
    }

    /// The maximum number of bytes of the body; `nil` for no limit.
    var maximumBytes: Int64? { maxFilesize.bytes == 0 ? nil : maxFilesize.bytes }
}
