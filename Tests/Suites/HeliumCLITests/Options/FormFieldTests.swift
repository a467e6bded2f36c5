import HeliumKit
import Testing

@testable import HeliumCLI

@Suite("Parts of a form")
struct FormFieldTests {
    @Test(
        "a part of a form is a text, a file, or a file with a media type",
        arguments: [
            ("a=b", "a", .text("b")), ("a=", "a", .text("")), ("a=b=c", "a", .text("b=c")),
            ("a=b;type=c", "a", .text("b;type=c")), ("a= @b", "a", .text(" @b")),
            ("a=@f", "a", .file(path: "f", contentType: nil)),
            ("a=@x y/f.png;type=image/x-own", "a", .file(path: "x y/f.png", contentType: "image/x-own")),
            ("a=@f;type=text/plain; charset=utf-8", "a", .file(path: "f", contentType: "text/plain; charset=utf-8")),
            ("a=@f;type=1;type=b/c", "a", .file(path: "f;type=1", contentType: "b/c")),
        ] as [(String, String, FormField.Content)]
    )
    func parses(argument: String, name: String, content: FormField.Content) throws {
        let field = try #require(FormField(argument: argument))
        #expect(field.name == name && field.content == content)
    }

    @Test(
        "a part of a form without a name or a file is refused",
        arguments: ["", "a", "=b", "a=@", "a=@f;type=", "a=@;type=b/c"]
    )
    func refuses(argument: String) { #expect(FormField(argument: argument) == nil) }

    @Test("the media type of a file in a form follows its name, or is given")
    func mediaType() throws {
        #expect(try #require(FormField(argument: "a=@x/f.png")).part.contentType == "image/png")
        #expect(try #require(FormField(argument: "a=@x/f.png")).part.fileName == "f.png")
        #expect(try #require(FormField(argument: "a=@f.png;type=b/c")).part.contentType == "b/c")
        #expect(try #require(FormField(argument: "a=f.png")).part.contentType == nil)
    }
}
