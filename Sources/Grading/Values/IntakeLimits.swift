/// What one learner's submission may cost before it is refused.
struct IntakeLimits: Sendable, Equatable {
    var entries = 20_000
    var unpackedBytes = 256 << 20
    var archiveBytes = 128 << 20
    var nestedArchives = 8
    /// Wall time of a tool on one archive.
    var seconds: Double = 10
    /// Address space of a tool on one archive.
    var megabytes = 512

    /// What a whole class may cost that comes in one archive.
    static let wholeClass = IntakeLimits(
        entries: 500_000, unpackedBytes: 1 << 30, archiveBytes: 1 << 30, seconds: 300)
}
