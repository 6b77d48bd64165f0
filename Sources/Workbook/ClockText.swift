/// Seconds as a clock counts them, the same in every language: `4:05`, `1:00:00`.
public enum ClockText {
    /// Times are kept to the millisecond: less than half of one is nothing.
    private static let nothing = 0.000_5

    /// What has gone by: a second counts when it is over.
    public static func elapsed(_ seconds: Double) -> String { text((seconds + nothing).rounded(.down)) }

    /// What is left: a second counts until it is over.
    public static func left(_ seconds: Double) -> String { text((seconds - nothing).rounded(.up)) }

    /// Always with hours, as a spreadsheet needs it: `0:04:05`, `26:03:00`.
    public static func withHours(_ seconds: Int) -> String {
        "\(seconds / 3600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
    }

    private static func text(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), 1e9)) : 0
        return whole < 3600 ? "\(whole / 60):\(twoDigits(whole % 60))" : withHours(whole)
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
