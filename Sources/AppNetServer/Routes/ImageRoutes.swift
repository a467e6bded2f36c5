internal import HTTPTypes

extension AppNetRoutes {
    /// Avatars and covers (§2.5).
    static let imageRoutes: [AppNetRoute] =
        [
            AppNetRoute(.get, path: "images/{image}", area: .content, access: .none) { try $0.readImage() }
                .with { $0.tellsLimits = false }
        ]
        + UserImage.allCases.flatMap { image in
            [
                // Not limited (§1.7), and so without the limits' header fields.
                AppNetRoute(.get, path: "users/{user}/\(image.rawValue)", access: .none) {
                    try $0.redirect(to: image)
                }.with {
                    $0.tellsLimits = false
                    $0.isLimited = false
                },
                AppNetRoute(.post, path: "users/me/\(image.rawValue)", access: .user, scopes: [.updateProfile]) {
                    try $0.setImage(image)
                },
            ]
        }
}
