public import Foundation
public import HeliumCore
internal import HeliumKit

// The profile and the images of users.
extension UserCalls {
    /// Replaces the profile of the token's user.
    ///
    /// `PUT users/me`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - profile: The profile. The name, locale, timezone and description are required. Annotations are sent too, and
    ///     merged by type; other members are not sent.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func replaceProfile(
        _ profile: AppNetUser,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetUser {
        guard profile.name != nil, profile.locale != nil, profile.timezone != nil, profile.description?.text != nil
        else {
            throw AppNetError(.invalidRequest, "a profile needs a name, a locale, a timezone and a description")
        }
        return try await send(.replaceProfile, profile, parameters)
    }

    /// Changes the profile of the token's user. Members that are `nil` are not changed.
    ///
    /// `PATCH users/me`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - changes: The new values. The name, locale, timezone, description and annotations are sent, and annotations
    ///     are merged by type; other members are not sent.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func updateProfile(
        _ changes: AppNetUser,
        parameters: GeneralParameters = GeneralParameters()
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

// MARK: Images

extension UserCalls {
    /// Returns the avatar of a user, following the redirect to its URL.
    ///
    /// `GET users/{user}/avatar`; no token needed.
    ///
    /// - Parameters:
    ///   - user: The id of the user.
    ///   - width: The width in pixels. If only one of width and height is given, the aspect ratio is kept. The default
    ///     is the original size.
    ///   - height: The height in pixels.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func avatar(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> Data {
        try await picture(.avatar, of: user, width, height)
    }

    /// Returns the cover image of a user, following the redirect to its URL. See ``avatar(of:width:height:)``.
    ///
    /// `GET users/{user}/cover`; no token needed.
    public func cover(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> Data {
        try await picture(.cover, of: user, width, height)
    }

    /// Returns the URL of a user's avatar. See ``avatar(of:width:height:)``.
    public func avatarURL(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> URL {
        try await address(.avatar, of: user, width, height)
    }

    /// Returns the URL of a user's cover image. See ``avatar(of:width:height:)``.
    public func coverURL(of user: AppNetUser.ID, width: Int? = nil, height: Int? = nil) async throws -> URL {
        try await address(.cover, of: user, width, height)
    }

    /// Sets the avatar of the token's user.
    ///
    /// `POST users/me/avatar`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - content: An image of less than 1 MB, which is cropped to a square. The best size is 200×200.
    ///   - parameters: The optional members of the response.
    ///   - progress: Called with the progress of the upload.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func setAvatar(
        _ content: FileContent,
        parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> AppNetUser {
        try await setPicture(.setAvatar, "avatar", content, parameters, progress)
    }

    /// Sets the cover image of the token's user.
    ///
    /// `POST users/me/cover`; a user token with `update_profile`.
    ///
    /// - Parameters:
    ///   - content: An image of less than 4 MB, at least 960 pixels wide.
    ///   - parameters: The optional members of the response.
    ///   - progress: Called with the progress of the upload.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func setCover(
        _ content: FileContent,
        parameters: GeneralParameters = GeneralParameters(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> AppNetUser {
        try await setPicture(.setCover, "cover", content, parameters, progress)
    }

    /// Resets the avatar of the token's user to the service's default.
    ///
    /// `DELETE users/me/avatar`; a user token with `update_profile`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func removeAvatar() async throws -> AppNetUser { try await client.value(CallRequest(.removeAvatar)) }

    /// Resets the cover image of the token's user to the service's default.
    ///
    /// `DELETE users/me/cover`; a user token with `update_profile`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
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
