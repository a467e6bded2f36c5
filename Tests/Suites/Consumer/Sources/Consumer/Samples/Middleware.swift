import Foundation
import HeliumKit

/// The seed's call, made modern.
struct MiddlewareSamples {
    let print: Printer

    // swift-format-ignore: NeverForceUnwrap
    static func configure(secret: Secret, secretID: String, tokens: URL) throws -> (HeliumConfiguration, Helium) {
        // sample: configure
        let configuration = HeliumConfiguration(
            secret: secret,
            secretID: secretID,
            baseURL: URL(string: "https://api.example.com")!,
            acceptableStatusCodes: 200..<300,
            device: DeviceConfiguration(
                url: URL(string: "https://api.example.com/demo-auth/v1/devices")!,
                info: .current(),
                store: FileTokenStore(at: tokens)
            )
        )
        let helium = try Helium(configuration)
        // end of sample
        return (configuration, helium)
    }

    func completion(_ helium: Helium) async {
        // sample: completion
        let task = helium.get("/7tv/mobile/v1/tvshows/:id", returning: TVShow.self)
            .pathReplacements(["id": "1032808"])
            .parameters(["limit": 100])
            .timeout(.seconds(5))
            .completion { result in
                switch result {
                case .success(let response): print(response.status, response.value.title)
                case .failure(let error): print(error)  // `.cancelled` after task.cancel()
                }
            }
        // end of sample
        await task.finish()
    }

    func async(_ helium: Helium) async throws {
        // sample: async
        let show = try await helium.get("/7tv/mobile/v1/tvshows/:id", returning: TVShow.self)
            .pathReplacements(["id": "1032808"])
            .value()
        print(show.title)
        // end of sample
    }

    func device(_ helium: Helium) async throws {
        // sample: device
        if let device = helium.device {
            let registration = try await device.register()  // or the first request does it
            print(registration.clockOffset, registration)  // the token is in no description
            try await device.forget()
        }
        // end of sample
    }
}
