import Testing

@testable import HeliumCurl

@Suite("Authorities that libcurl is given")
struct AuthorityTests {
    @Test(
        "given certificate authorities replace both of libcurl's defaults",
        arguments: [(nil, nil), ("file", nil), (nil, "folder"), ("file", "folder")] as [(String?, String?)]
    )
    func options(file: String?, directory: String?) {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = file
        configuration.certificateAuthorityDirectory = directory
        let paths = ChannelTLS(configuration).authorities.map(\.path)
        #expect(paths == (file == nil && directory == nil ? [] : [file, directory]))
    }
}
