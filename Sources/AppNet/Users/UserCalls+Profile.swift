public import Foundation
public import HeliumCore
internal import HeliumKit

// The profile of the token's user, and pictures.
extension UserCalls {
    /// Replaces the profile of the token's user.
    ///
    /// `PUT users/me`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - profile: Name, locale, timezone and description, all of which it has to have; annotations, merged by type.
    ///     The rest is not sent.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func replaceProfile(
        _ profile: AppNetUser,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetUser {
        guard profile.name != nil, profile.locale != nil, profile.timezone != nil, profile.description?.text != nil
        else {
            throw AppNetError(.invalidRequest, "a whole profile has a name, a locale, a timezone and a description")
        }
        return try await send(.replaceProfile, profile, parameters)
    }

    /// Changes the profile of the token's user; what is `nil` stays.
    ///
    /// `PATCH users/me`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - changes: Any of name, locale, timezone, description and annotations, merged by type. The rest is not sent.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func updateProfile(
        _ changes: AppNetUser,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetUser {
        try await send(.updateProfile, changes, parameters)
    }

    private func send(_ call: CallSpecification, _ user: AppNetUser, _ parameters: GeneralParameters) async throws
        -> AppNetUser
    {
        try client.check(user.annotations, on: .user)
        return try await client.value(CallRequest(call, body: .object(user.sent()), parameters))
    }
}

// MARK: Pictures

extension UserCalls {
    /// A user's avatar, wherever it is.
    ///
    /// `GET users/{user}/avatar`; no token needed.
    ///
    /// - Parameters:
    ///   - user: Whose.
    ///   - width: Its width in pixels; the height follows where it is not given. Default: as it is.
    ///   - height: Its height in pixels.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func avatar(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> Data {
        try await picture(.avatar, of: user, width, height)
    }

    /// A user's cover picture, wherever it is; see ``avatar(of:width:height:)``.
    ///
    /// `GET users/{user}/cover`; no token needed.
    public func cover(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> Data {
        try await picture(.cover, of: user, width, height)
    }

    /// Where a user's avatar is; see ``avatar(of:width:height:)``.
    public func avatarURL(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> URL {
        try await address(.avatar, of: user, width, height)
    }

    /// Where a user's cover picture is; see ``avatar(of:width:height:)``.
    public func coverURL(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> URL {
        try await address(.cover, of: user, width, height)
    }

    /// Sets the avatar of the token's user.
    ///
    /// `POST users/me/avatar`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - content: A picture of less than 1 MB, which is cropped square; best 200×200.
    ///   - parameters: What the answer is to have.
    ///   - progress: Told how far the upload has got.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func setAvatar(
        _ content: FileContent,
        _ parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> AppNetUser {
        try await setPicture(.setAvatar, "avatar", content, parameters, progress)
    }

    /// Sets the cover picture of the token's user.
    ///
    /// `POST users/me/cover`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - content: A picture of less than 4 MB, at least 960 pixels wide.
    ///   - parameters: What the answer is to have.
    ///   - progress: Told how far the upload has got.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func setCover(
        _ content: FileContent,
        _ parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> AppNetUser {
        try await setPicture(.setCover, "cover", content, parameters, progress)
    }

    /// Goes back to the service's own avatar.
    ///
    /// `DELETE users/me/avatar`; a user token with `update_profile`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func removeAvatar() async throws -> AppNetUser { try await client.value(CallRequest(.removeAvatar)) }

    /// Goes back to the service's own cover picture.
    ///
    /// `DELETE users/me/cover`; a user token with `update_profile`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func removeCover() async throws -> AppNetUser { try await client.value(CallRequest(.removeCover)) }
}

extension UserCalls {
    private func setPicture(
        _ call: CallSpecification,
        _ part: String,
        _ content: FileContent,
        _ parameters: GeneralParameters,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> AppNetUser {
        let form = MultipartForm([content.part(named: part)])
        let body = RequestContent.multipart(form, random: client.settings.environment.random)
        var request = CallRequest(call, body: .content(body), parameters)
        request.progress = progress
        return try await client.value(request)
    }

    private func request(_ call: CallSpecification, _ user: AppNetUser.ID, _ width: Int?, _ height: Int?) -> CallRequest
    {
        CallRequest(call, ["user": user.text], query: ["h": height, "w": width])
    }

    private func picture(
        _ call: CallSpecification,
        of user: AppNetUser.ID,
        _ width: Int?,
        _ height: Int?
    ) async throws -> Data {
        try await client.content(request(call, user, width, height))
    }

    private func address(
        _ call: CallSpecification,
        of user: AppNetUser.ID,
        _ width: Int?,
        _ height: Int?
    ) async throws -> URL {
        try await client.contentURL(request(call, user, width, height))
    }
}
