import ArgumentParser

/// The options for printing a `curl` command instead of sending a request.
struct CurlOptions: ParsableArguments {
    @Flag(help: "Print the curl command for the same request, with secrets masked. Nothing is sent.")
    var curl = false

    @Flag(help: "Print the secrets in the command of --curl unmasked.")
    var showSecrets = false

    func validate() throws {
        if showSecrets, !curl { throw ValidationError("--show-secrets needs --curl") }
    }
}
