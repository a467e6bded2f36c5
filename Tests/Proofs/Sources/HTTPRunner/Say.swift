import Foundation

/// Prints a line, and sees that it leaves at once: whoever watches through a pipe waits for it.
func say(_ words: String...) {
    print("http: " + words.joined(separator: " "))
    fflush(nil)
}
