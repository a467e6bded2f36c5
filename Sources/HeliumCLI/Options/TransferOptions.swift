import ArgumentParser
import HeliumKit

/// Options for sending a request and for the output of its response.
struct TransferOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The maximum number of attempts, including the first: 1 to 100. Only safe requests are repeated. Default: 3.",
            valueName: "attempts"
        )
    )
    var retry: Int?

    @Flag(help: "Use HTTP/2: negotiated over https, with prior knowledge over http.")
    var http2 = false

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            """
            Write the response's body to this file, which appears when it is complete. Progress is shown on a \
            terminal. - is standard output.
            """,
            valueName: "file"
        )
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            """
            The maximum size of the response's body: 500k, 20M, 2G; 0 for no limit. With --format json at most 16M.
            """,
            valueName: "size"
        )
    )
    var maxFilesize = ByteSize(bytes: 8 << 30)

    @Option(
        help: ArgumentHelp(
            "The idempotency key of all attempts. With it, a POST is also retried.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    @Flag(help: "Continue an interrupted --output to the same file, if the server's file has not changed.")
    var resume = false

    func validate() throws {
        if let retry, !(1...100 ~= retry) { throw ValidationError("--retry must be 1 to 100") }
        if resume, output == "-" { throw ValidationError("--resume needs a file: standard output can't be resumed") }
        if resume, output == nil { throw ValidationError("--resume needs --output") }
        if output?.isEmpty == true { throw ValidationError("--output is empty: give the path of a file") }
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
