extension Finding {
    /// One order in which threads ran: what was found in it, and how to run it again.
    public struct Schedule: Sendable, Codable, Equatable {
        /// Where it differs from going on with the same thread, such as `A4>C C99>B`: by this it can be run again.
        public var text: String
        /// The two accesses of a data race.
        public var race: [Access]?
        /// What the threads did, in the order of time.
        public var steps: [Step]
        /// What each thread waits for, where nothing can go on.
        public var waits: [Wait]?

        public init(text: String, race: [Access]? = nil, steps: [Step] = [], waits: [Wait]? = nil) {
            self.text = text
            self.race = race
            self.steps = steps
            self.waits = waits
        }
    }

    /// One thing that a thread does.
    public enum Deed: String, Sendable, Codable {
        case reads, writes
        /// Begins to change something in its place.
        case changes
        case locks, unlocks
        case waits
        /// A task goes on.
        case resumes
        /// A thread or a task begins.
        case starts
        case calls
        case ends
    }

    /// An access to memory. Its place is given by offsets into the image of the kata, the innermost call first.
    public struct Access: Sendable, Codable, Equatable {
        public var at: [Int]
        public var does: Deed

        public init(at: [Int], does: Deed) {
            self.at = at
            self.does = does
        }
    }

    /// What one thread does at one moment.
    public struct Step: Sendable, Codable, Equatable {
        public var thread: Int
        public var at: [Int]
        public var does: Deed
        /// Whether this is what the finding is about.
        public var mistake: Bool?

        public init(thread: Int, at: [Int], does: Deed, mistake: Bool? = nil) {
            self.thread = thread
            self.at = at
            self.does = does
            self.mistake = mistake
        }
    }

    /// What a thread waits for, and where.
    public struct Wait: Sendable, Codable, Equatable {
        public enum Cause: String, Sendable, Codable {
            case lock, condition, semaphore, queue, thread, task, sleep, other
        }
        public var thread: Int
        public var at: [Int]
        public var on: Cause

        public init(thread: Int, at: [Int], on: Cause) {
            self.thread = thread
            self.at = at
            self.on = on
        }
    }
}
