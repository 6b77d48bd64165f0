import Foundation

/// What an interview was set up to be, before its first second.
public struct InterviewPlan: Codable, Sendable, Equatable {
    public var candidate: String
    public var language: Language
    /// In the order in which they are worked on.
    public var katas: [Kata]
    public var minutes: Int
    /// How many hints may be asked for; `nil` for no limit.
    public var hints: Int?
    /// The minutes that all pauses together may take; `nil` for no limit.
    public var pauseMinutes: Int?
    public var seed: UInt64
    /// The programs that it was held with.
    public var versions: Versions
    /// What the katas' files held before anybody wrote in them; `nil` where it was not kept.
    public var stubs: [String: String]?

    public struct Versions: Codable, Sendable, Equatable {
        public var grader: String
        public var swift: String

        public init(grader: String, swift: String) {
            self.grader = grader
            self.swift = swift
        }
    }

    public init(
        candidate: String, language: Language, katas: [Kata], minutes: Int, hints: Int?, seed: UInt64,
        versions: Versions, pauseMinutes: Int? = nil
    ) {
        self.candidate = candidate
        self.language = language
        self.katas = katas
        self.minutes = minutes
        self.hints = hints
        self.pauseMinutes = pauseMinutes
        self.seed = seed
        self.versions = versions
    }

    public var seconds: Double { Double(minutes) * 60 }
}
