/// The documents to decode, generated here and equal in each run.
enum Documents {
    /// An answer with 200 messages, with users, entities and annotations: about 400 KB.
    static let page =
        "{\"meta\":{\"code\":200,\"more\":true,\"max_id\":\"3000200\",\"min_id\":\"3000001\"},\"data\":["
        + (0..<200).map(message).joined(separator: ",") + "]}"

    private static func message(_ index: Int) -> String {
        let id = 3_000_200 - index
        let text =
            "@user\(index % 40): measured \(index) things today, see https://example.com/\(index) #measuring 😀 "
            + "and what else there was to say of them, which takes a line or two more than most would think it does, as usual"
        return """
            {"id":"\(id)","channel_id":"27024","thread_id":"\(id)","created_at":"2013-09-18T10:21:43Z","text":"\(text)",\
            "html":"<span itemscope=\\"https://app.net/schemas/Post\\">\(text)</span>","machine_only":false,"num_replies":0,\
            "source":{"client_id":"made-up-client","link":"https://example.com/app","name":"Example"},\
            "entities":{"mentions":[{"name":"user\(index % 40)","id":"\(index % 40)","pos":0,"len":7,"is_leading":true}],\
            "hashtags":[{"name":"measuring","pos":60,"len":10}],"links":[{"text":"https://example.com/\(index)",\
            "url":"https://example.com/\(index)","pos":36,"len":22}]},\
            "annotations":[{"type":"net.app.core.geolocation","value":{"latitude":52.5\(index),"longitude":13.4}},\
            {"type":"net.app.core.language","value":{"language":"en"}}],"user":\(user(index % 40)),"pagination_id":"\(id)"}
            """
    }

    private static func user(_ index: Int) -> String {
        """
        {"id":"\(index)","username":"user\(index)","name":"User \(index)","description":{"text":"Measures things",\
        "html":"<span itemscope=\\"https://app.net/schemas/Post\\">Measures things</span>","entities":{"mentions":[],\
        "hashtags":[],"links":[]}},"timezone":"Europe/Berlin","locale":"en_US","avatar_image":{"url":\
        "https://images.example.com/avatar/\(index).png","width":200,"height":200,"is_default":false},"cover_image":{"url":\
        "https://images.example.com/cover/\(index).jpg","width":960,"height":260,"is_default":true},"type":"human",\
        "created_at":"2012-08-10T22:40:12Z","counts":{"following":12,"followers":4\(index),"posts":115,"stars":4},\
        "follows_you":false,"you_follow":true,"you_muted":false,"you_blocked":false,"you_can_follow":true,\
        "you_can_subscribe":true,"verified_domain":"example.com","canonical_url":"https://alpha.example.com/user\(index)"}
        """
    }
}
