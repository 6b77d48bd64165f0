/// A sentence that waits for its language: a key of the catalog and what fills its placeholders.
///
/// Verdicts are cached, stored and merged, and each reader has a language of their own; so verdicts hold messages.
public struct LocalizableMessage: Codable, Sendable, Equatable {
    public enum Key: String, Codable, Sendable, CaseIterable {
        // MARK: What a test says

        /// The compiler's or a test's own words, in no language of ours: [text].
        case verbatim
        /// Expected against actual: [expected, actual].
        case mismatch
        /// A test waited for something that can no longer happen: [].
        case deadline
        /// The same, with what had happened until then: [history].
        case deadlineArrived
        /// The same in one of several cases of a test.
        case deadlineInCase
        /// Work that should have been cancelled was not: [].
        case notCancelled
        /// Only some of the operations were cancelled: [k/n].
        case notCancelledArrived
        /// The same in one of several cases of a test.
        case notCancelledInCase
        /// Only some of the subscriptions to a publisher were cancelled: [k/n].
        case upstreamNotCancelledArrived
        /// Something that should have been released is still in memory: [].
        case leaked
        /// The same, with what it is: [type].
        case leakedArrived
        /// The same in one of several cases of a test.
        case leakedInCase
        /// A task blocked its thread: [].
        case blockedThread
        /// A test waited in vain while code that waits keeps all threads of a global dispatch queue: [].
        case noThreadLeft
        /// A test waited for something that did not happen while code kept running: [].
        case stillRunning
        /// The same, with what had happened until then: [history].
        case stillRunningArrived
        /// The same in one of several cases of a test.
        case stillRunningInCase
        /// Two threads accessed the same memory at the same time, and one of them changed it: [].
        case dataRace
        /// Nothing could go on: each thread waited for something that only another one could have done: [].
        case stuck
        /// An error was thrown where none was expected: [error].
        case unexpectedError
        /// A failure's text was longer than a report shows: [bytes left out].
        case textCut
        /// A test failed more often than a report shows: [failures left out].
        case issuesCut
        /// A signal ended the process while the test ran: [the signal's name].
        case crashed
        /// The runtime stopped the process while the test ran, in its own words: [message].
        case fatalError
        /// The stack was used up, as by a function that calls itself without end: [].
        case stackOverflow
        /// A continuation was resumed more than once: [function that made it].
        case resumedTwice
        /// A continuation was given up without being resumed: [function that made it].
        case continuationLeaked
        /// The submission ended the process itself while the test ran: [exit code].
        case exited
        /// The submission ended the process itself while the test ran: [].
        case endedProcess
        /// The process asked for more memory than a kata may have: [megabytes].
        case outOfMemory
        /// The process used more processor time than a kata may have: [seconds].
        case outOfProcessorTime
        /// The code started more threads than a kata may have: [threads].
        case tooManyThreads
        /// The test did not end within its limit: [seconds].
        case timedOut
        /// The test did not run, since the whole suite's time was used up: [seconds].
        case suiteTimedOut
        /// The test did not run, since the process ended before its turn, however often it was started again: [].
        case neverStarted
        /// The test did not run, since code did not come to an end in others: [].
        case notRunAfterHang
        /// The same, with the part that the test needs as well: [part].
        case notRunAfterHangOf
        /// Code of the answer was still running at the end of the test: [].
        case answerStillRunning
        /// The part of the answer whose code was still running: [part].
        case partStillRunning
        /// The test needs a part that is still the stub's: [part].
        case partNotWritten

        // MARK: What a submission may not do (a rejected verdict)

        /// The suite expects a declaration that the submission lacks: [declaration].
        case suiteExpects
        /// The submission has a declaration that is not `public`: [its name].
        case notPublic
        /// A grading was stopped because its result is no longer needed: [kata].
        case abandoned
        /// An attribute that reaches across modules or into the linker: [attribute].
        case rejectedAttribute
        /// An import of a module that a kata may not have: [module].
        case rejectedImport
        /// Raw memory is reached: [the unsafe declaration].
        case rejectedUnsafe
        /// An executor of the submission's own: [].
        case rejectedExecutor
        /// A format of C's, whose arguments nothing checks: [].
        case rejectedFormat
        /// A closure is used beyond what the compiler has checked of it: [].
        case rejectedEscaping
        /// A function becomes an address of C's: [attribute].
        case rejectedCFunction
        /// A `/` that may or may not begin a regular expression, with different code behind it: [].
        case ambiguousRegularExpression
        /// A string interpolation that holds what the compiler may end it at: [].
        case ambiguousInterpolation
        /// Something outside what a kata needs is used: [its name].
        case rejectedSymbol
        /// A symbol is defined outside the submission's own module: [its name].
        case rejectedDefinition
        /// A section that the linker or the loader acts upon: [its name].
        case rejectedSection
        /// Code in the interface that the suite's own object would carry: [declaration].
        case rejectedInterface
        /// The submission wrote into the record of the tests, or ended the run in the grader's stead: [].
        case rejectedRecord

        // MARK: Why a person should look at a submission

        /// A line of a run's record is not the one that has to come there: [its number, its beginning].
        case lookForgedLine
        /// A test that had to fail in the second run has not: [test].
        case lookFailureKeptBack
        /// A function of C is used as a value, and not called: [its name].
        case lookCFunction
        /// A module of the C library is imported: [module].
        case lookCModule
        /// The bits of values are read or made: [the name that is used].
        case lookBits
        /// A large number that is not round, as addresses and machine code are: [number].
        case lookNumber

        // MARK: What a file may not be (a rejected verdict)

        /// The file is larger than a kata may be: [bytes found, bytes allowed].
        case fileTooLarge
        /// The file is not UTF-8 text: [].
        case fileNotText
        /// The file is no regular file: [path].
        case fileNotRegular
        /// The file is a symbolic link: [path].
        case fileIsLink
        /// The file may not be read: [path].
        case fileUnreadable
        /// The file is missing: [path].
        case fileMissing
        /// Looking through the file was stopped at its time limit: [seconds].
        case readingTimedOut
        /// The compiler was stopped at its time limit: [seconds].
        case compileTimedOut
        /// The compiler was stopped at its memory limit: [megabytes].
        case compileOutOfMemory
        /// The compiler said more than a report shows: [messages left out].
        case diagnosticsCut
        /// The compiler itself failed on this file: [its last words].
        case compilerCrashed

        // MARK: Why an entry of a class's folder was not graded, or not whole

        /// The learner's other katas took longer than all of them may: [seconds, seconds allowed].
        case learnerOutOfTime
        /// The entry is no folder, no archive and no file that a learning platform names: [entry].
        case notASubmission
        /// The entry's name is not UTF-8 text: [what can be read of it].
        case entryNameNotText
        /// The submission holds none of the katas' files: [a file that was looked for].
        case submissionEmpty
        /// The submission holds none of the katas' files, and others: [their paths, a file that was looked for].
        case noKataAmong
        /// Files of the submission were not graded, and may have been meant to be: [their paths, the name of a kata's file].
        case filesNotUsed
        /// The submission holds other katas, and not this one: [its file].
        case kataNotSubmitted
        /// Two files of one submission could be meant: [file, first path, second path].
        case kataTwice
        /// The archive cannot be read: [entry, what the tool said].
        case archiveUnreadable
        /// The archive, or the folder, holds more than a submission may: [entries found, entries allowed].
        case archiveTooManyEntries
        /// The archive unpacks to more than a submission may: [bytes found, bytes allowed].
        case archiveTooLarge
        /// The archive took longer to read than a submission may: [seconds].
        case archiveTimedOut
        /// The archive would unpack to a place outside its folder: [path].
        case archivePathEscapes
        /// The archive holds a link: [path].
        case archiveHasLink
        /// Files of a class's archive were not opened: [their paths].
        case filesLeftOut

        // MARK: What else an instructor has to know of an entry

        /// Other entries have the same number, account or address: [its key in `gradebook.json`, their names].
        case identityShared
        /// The class has a roster, and this learner is not in it.
        case notInRoster

        // MARK: Why the grader could not do its work

        /// No folder with `Exercises/` at or above: [folder].
        case noWorkbook
        /// A `kata.json` cannot be read: [path, reason].
        case unreadableKata
        /// [path, line, column].
        case notJSON
        /// [path, key].
        case keyMissing
        /// [path, test, key].
        case testKeyMissing
        /// [path, key].
        case valueUnexpected
        /// [path, test, key].
        case testValueUnexpected
        /// The hidden suite or the model answer is missing: [kata, folder].
        case noSuite
        /// No Swift compiler was found: [where it was looked for].
        case noCompiler
        /// The sources that suites are written with were not found: [where they were looked for].
        case noSupportSources
        /// The fast engine was asked for where there is none: [].
        case fastIsOnLinux
        /// Strangers' code is not run with the portable engine: [].
        case portableIsNotConfined
        /// The portable engine cannot decide in which order threads run: [].
        case portableRunsNoSchedule
        /// The compiler is older than the workbook needs: [version found, version needed].
        case compilerTooOld
        /// The compiler has no linker next to it: [where it was looked for].
        case noLinker
        /// The compiler's XCTest was not found: [where it was looked for].
        case noXCTest
        /// The compiler's Swift Testing was not found: [where it was looked for].
        case noTesting
        /// There is no sandbox to run strangers' code in: [what is needed, what it said].
        case noSandbox
        /// A folder that the grader must write to cannot be written: [folder, reason].
        case folderNotWritable
        /// The support libraries are not where `swift build` leaves them: [folder].
        case supportNotBuilt
        /// The hidden suite does not compile against its model answer: [kata, the compiler's messages].
        case suiteDoesNotCompile
        /// `kata.json` names tests that the suite does not have: [kata, tests, folder of the suite].
        case testsNotInSuite
        /// The suite has tests that `kata.json` does not name: [kata, tests, path of `kata.json`].
        case testsNotInManifest
        /// A program that the grader needs failed: [program, what it said].
        case programFailed
        /// The folder of a class's submissions cannot be read: [folder, reason].
        case noClassFolder
        /// The class is one level deeper: [folder that was named, folder that holds the class].
        case classBelow
        /// Another grader is writing this report: [folder].
        case reportBusy
        /// The folder holds no report that `grade` made: [folder, reason].
        case noClassRecord
        /// A class's folder has no entries: [folder].
        case noSubmissions
        /// Shards are missing from a merge: [the missing ones].
        case shardsMissing
        /// A shard is there twice: [shard, first folder, second folder].
        case shardTwice
        /// The folder holds no interview that can be read: [folder].
        case noInterview
        /// Entries of a session's journal cannot be read: [how many, their numbers, journal].
        case interviewIncomplete
        /// A session's journal cannot be read: [journal, what stands in].
        case interviewWithoutJournal
        /// A session's journal does not begin with its beginning, and nothing else has that: [journal, what would have it].
        case interviewWithoutBeginning
        /// Two shards were not graded alike, so that they make no one report: [first folder, second folder].
        case shardsDiffer
        /// Two shards were graded with different seeds: [first folder, second folder, first seed, second seed].
        case shardSeedsDiffer

        // MARK: What `doctor` finds in order

        /// The compiler cannot use the toolchain's own modules, also after they were made again: [its words].
        case compilerFailsOnImports
        /// [version, path].
        case compilerFound
        /// [path].
        case linkerFound
        /// [path].
        case xctestFound
        /// [path].
        case testingFound
        /// [program, version].
        case sandboxFound
        /// [cores].
        case cores
        /// [megabytes free, folder].
        case diskFree
        /// Less disk is free than a grading needs: [megabytes free, megabytes needed, folder].
        case diskLow
        /// [folder].
        case folderWritable
        /// TMPDIR names a folder on which the compiler's driver crashes: [folder].
        case temporaryFolderNotASCII
        /// [folder].
        case supportFound
        /// [engine].
        case engineInUse
        /// On a Mac, XCTest needs Xcode: [the developer folder that is selected].
        case noXcode
        /// [kata, seconds].
        case suiteBuilt
        /// Where a suite explores orders of steps, it can do so here: [].
        case ordersAreExplored
        /// It cannot: [].
        case ordersAreNotExplored
        /// [kata, seconds].
        case answerMastered
        /// [kata, seconds].
        case stubFails
        /// A file of the workbook's own did not get the points that it must get: [file, points expected, points of the kata,
        /// points found, details].
        case roundTripFailed

        // MARK: What `kata verify` finds

        /// A folder in `Exercises` has no `kata.json`: [folder].
        case kataWithoutManifest
        /// [folder, name in `kata.json`].
        case kataFolderName
        /// Two katas have one place: [order, the other kata].
        case kataOrderTwice
        /// A kata needs one that does not come before it: [the other kata].
        case kataNeedsUnknown
        /// Other tests of the kata have a theme: [test, the themes that there are].
        case testWithoutTheme
        /// [test, rule, the rules that there are].
        case testRuleUnknown
        /// [path].
        case kataFileMissing
        /// Another number of questions or of points than in English: [path, English path].
        case interviewAnswersDiffer
        /// The stub and its copy differ: [stub, copy].
        case stubNotShipped
        /// [path of `kata.json`].
        case noCoreTest
        /// [test].
        case testTwice
        /// The id is not one of its framework's: [test, framework].
        case testIDForm
        /// A test names another one that the kata does not have: [test, key in `kata.json`, other test].
        case testRefersToUnknown
        /// A hint is for a kind of finding that there is not: [test, kind, the kinds that there are].
        case hintKindUnknown
        /// The stub has not exactly one declaration of this name: [test, part, path of the stub].
        case testPartUnknown
        /// [test, the test that comes after it].
        case testExplainedLater
        /// [test, points].
        case testPoints
        /// [path, reason].
        case catalogUnreadable
        /// [path, keys].
        case textsMissing
        /// [path, keys].
        case textsNotUsed
        /// [path, language, keys].
        case textsNotTranslated
        /// A percent sign begins no placeholder: [path, key, language].
        case textMalformed
        /// [path, key, language].
        case textEmpty
        /// Other placeholders than in English: [path, key, language].
        case textPlaceholders
        /// [path, key, language, categories].
        case textPlural
        /// Other code than in English: [path, key, language].
        case textCode
        /// Other code than in the English brief: [path, English path, number of the block].
        case briefCode
        /// Other headings than in the English brief: [path, English path, number of headings, of the English ones].
        case briefHeadings
        /// Most of it is the English text: [path, English path].
        case briefNotTranslated
        /// The kata's interface has a declaration that a file has not: [declaration, manifest, path].
        case interfaceMissing
        /// A hint before the third has code of the answer: [path, key, language, code].
        case hintShowsAnswer
        /// A line that says what is to be done: [path, line, text].
        case toDo
        /// Tests of Swift Testing without `.ownProcess`: [path, tests].
        case suiteSharesProcess
        /// [path of the file, codes of the languages].
        case languagesUnreadable
        /// [path, line, code].
        case suiteSleeps
        /// The suite calls `==` of types that a learner declares: [types].
        case suiteComparesOwnTypes
        /// [path].
        case answerWithoutHeader
        /// The file.
        case editDoesNotFit
        /// [path].
        case mutantFailsNothing
        /// [path].
        case rightAnswerNamesTests
        /// [path, test].
        case headerTestUnknown
        /// [path].
        case headerHintMissing
        /// [path, test].
        case headerHintTestPasses
        /// The suite did not run on an answer: [path].
        case answerNotRun
        /// [path].
        case answerWarnings
        /// [path, tests].
        case stubPasses
        /// [path, runs in which it was mastered, runs, seed of the first other one, tests].
        case answerNotMastered
        /// [path, tests].
        case answerFailsMore
        /// [path, tests].
        case answerFailsLess
        /// [path, test in the header, test found].
        case answerShowsOtherTest
        /// [path, test, hint or kind in the header, hint found, kind found].
        case answerShowsOtherHint
        /// [test, folder of the mutants].
        case testNotCaught
        /// [hint, folder of the mutants].
        case hintNotReached
        /// The usual guide's code fails core tests: [path, tests].
        case articleFailsCore
        /// The usual guide's code fails nothing: [path].
        case articleMasters
        /// [folder of the mutants].
        case noRightAnswer
        /// [test, seconds].
        case testTakesLong
    }

    public var key: Key
    /// What fills the placeholders. A list has commas between its items, which each language writes in its own way.
    public var arguments: [String]

    public init(_ key: Key, _ arguments: String...) {
        self.key = key
        self.arguments = arguments
    }

    public init(_ key: Key, arguments: [String]) {
        self.key = key
        self.arguments = arguments
    }
}

extension LocalizableMessage.Key {
    /// The place of the argument that is the system's number for what went wrong.
    public var failureArgument: Int? {
        switch self {
        case .folderNotWritable, .unreadableKata: 1
        default: nil
        }
    }

    /// The place of the argument that is a list.
    public var listArgument: Int? {
        switch self {
        case .filesLeftOut, .filesNotUsed, .noKataAmong, .shardsMissing, .suiteComparesOwnTypes: 0
        case .identityShared, .interviewIncomplete, .textsMissing, .textsNotUsed, .stubPasses, .answerFailsMore,
            .answerFailsLess, .articleFailsCore, .testWithoutTheme:
            1
        case .textsNotTranslated, .hintKindUnknown, .testRuleUnknown: 2
        case .textPlural: 3
        case .answerNotMastered: 4
        default: nil
        }
    }
}
