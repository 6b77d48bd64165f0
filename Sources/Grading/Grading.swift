// From a submission to a verdict. Data flows one way, and a folder is one part of the way: it uses those above it in this
// list, and none that uses it (FoldersTests).
//
//   Values/        what a caller gives and gets: Submission, GradingOptions, Limits, GradingError, Rejection
//   Cache/         what was made once, under the digest of all that it was made from
//   Process/       how a program is started, confined, listened to and stopped
//   Toolchain/     which compiler there is, and what it says
//   Run/           which tests are run again after a crash or a hang, what became of each, and how a grading stops before
//   Engine/        what an engine is, the files of a kata, and the result of a suite
//   Interface/     what a submission declares, and which declarations of the suite's it lacks
//   FastEngine/    the engine of Linux: it calls the compiler and the linker itself
//     Inspect/       what a submission may not contain, in its text, in the compiler's words and in its object
//     Build/         compiler calls, the support libraries, a kata's suite, and its variants for other interfaces
//     Run/           one start of the harness, and what it reports
//     Harness/       the program that runs a suite: not part of this module, the engine compiles it
//       Program/       its main part, a target by itself
//       Schedules/     the scheduler, in C
//       InSubmission/  compiled into each submission
//       InSuite/       compiled into each suite
//   PortableEngine/  the engine of every other platform: it builds one package with SwiftPM, and reads what tests print
//   Checked/       what every submission is compiled with in place of Swift's own unchecked functions
//   Wire/          what engines, harness and suites say to each other: compiled into the first two
//   Verdict/       the rules that make a verdict: pure functions on values
//   (here)         SubmissionGrader, which all callers use
//   Doctor/        what else a machine needs, and whether a grading works here
//   Verification/  whether a kata is true: rules on its files and on the verdicts on its answers
//   Class/         a folder of submissions: archives, learners, decisions that no kill loses
//
// One edit, for `SubmissionGrader.grade`:
//
//   1. SourceFile reads the bytes. The shipped stub is a verdict already, and so are bytes that the cache knows.
//   2. FastEngine.prepare: BuildTools, LinkTools, the HarnessProgram and the kata's CompiledSuite come from the cache, or
//      are made.
//   3. FastGrading.run is the list of steps: SourceScan; CompilerCall; RawMemory; ObjectInspection; the suite's object,
//      or a SuiteVariant; the linker; HarnessRun, as often as RunPlan asks, and once more for a ControlRun. A step that
//      ends the grading throws a GradingStop. What the suite found about threads has offsets of code; Symbolizer finds
//      the lines.
//   4. Verdict.init(_:_:) maps the SuiteResult or the GradingStop to a verdict. A settled verdict is kept in the cache.
//
// Each engine conforms to GradingEngine and is chosen in `SubmissionGrader.init`; steps 1 and 4, RunPlan and Verdict/
// stay as they are.
