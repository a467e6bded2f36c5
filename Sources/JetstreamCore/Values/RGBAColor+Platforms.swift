// Conversions from and to the colors of UI frameworks, where available. These store components as floating-point
// numbers, some as `Float`. A converted component may be slightly below the value of its byte, so a tolerance is added
// before truncation.

extension RGBAColor {
    /// Creates a color from components that may come from another color with 8 bits per component.
    init(red: Double, green: Double, blue: Double, alpha: Double, tolerance: Double) {
        self.init(
            red: red + tolerance,
            green: green + tolerance,
            blue: blue + tolerance,
            alpha: alpha + tolerance
        )
    }

    /// The tolerance of a component: far above the error of a `Float`, and far below an 8-bit step.
    static let componentTolerance = 1e-5
}

#if canImport(UIKit)
    public import UIKit

    extension RGBAColor {
        /// Converts a `UIColor`. Components outside 0 to 1, which extended color spaces have, are clamped.
        public init(_ color: UIColor) {
            var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
            color.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
            self.init(
                red: Double(red),
                green: Double(green),
                blue: Double(blue),
                alpha: Double(alpha),
                tolerance: Self.componentTolerance
            )
        }

        /// The color for UIKit.
        public var uiColor: UIColor {
            UIColor(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
        }
    }
#elseif canImport(AppKit)
    public import AppKit

    extension RGBAColor {
        /// Converts an `NSColor` to sRGB; `nil` for a pattern, which has no components.
        public init?(_ color: NSColor) {
            guard let color = color.usingColorSpace(.sRGB) else { return nil }
            self.init(
                red: Double(color.redComponent),
                green: Double(color.greenComponent),
                blue: Double(color.blueComponent),
                alpha: Double(color.alphaComponent),
                tolerance: Self.componentTolerance
            )
        }

        /// The color for AppKit, in sRGB.
        public var nsColor: NSColor {
            NSColor(srgbRed: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
        }
    }
#endif

#if canImport(SwiftUI)
    public import SwiftUI

    extension RGBAColor {
        /// Converts a `Color`, which may depend on an environment.
        @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
        public init(_ color: Color, in environment: EnvironmentValues = EnvironmentValues()) {
            let resolved = color.resolve(in: environment)
            self.init(
                red: Double(resolved.red),
                green: Double(resolved.green),
                blue: Double(resolved.blue),
                alpha: Double(resolved.opacity),
                tolerance: Self.componentTolerance
            )
        }

        /// The color for SwiftUI, in sRGB.
        @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
        public var color: Color { Color(.sRGB, red: red, green: green, blue: blue, opacity: alpha) }
    }
#endif
