/// Seconds as a clock counts them, the same in every language: `4:05`, `1:00:00`.
public enum ClockText {
    /// Times are kept to the millisecond: less than half of one is nothing.
    private static let nothing = 0.000_5

    /// What has gone by: a second counts when it is over.
    public static func elapsed(_ seconds: Double) -> String { text((seconds + nothing).rounded(.down)) }

    /// What is left: a second counts until it is over.
    public static func left(_ seconds: Double) -> String { text((seconds - nothing).rounded(.up)) }

    private static func text(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(min(max(seconds, 0), 1e9)) : 0
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(whole % 60)
    }
}
