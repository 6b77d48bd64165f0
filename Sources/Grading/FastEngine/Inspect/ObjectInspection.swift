import Workbook

/// Decides whether a submission's object may be linked with the suite: by what it needs, not by what its source says.
///
/// What is not known to be needed by honest katas is refused by name.
struct ObjectInspection {
    /// The submission's module.
    var module: String
    /// How long it may take.
    var seconds: Double = 60
    /// Whether the source says `withoutActuallyEscaping`. The library's own `assumeIsolated` needs the same of the runtime.
    var namesEscaping = true

    /// The first thing that a kata may not have.
    func rejection(_ object: ObjectFile) -> Rejection? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        // What every object has that is compiled for the scheduler: one function that is called as the image is loaded.
        let name = Self.sanitizersInitializer
        let isInstrumented = [[name], [".text." + name]].contains(object.initializers)
        for section in object.sections where !Self.isKnownSection(section) {
            if isInstrumented, [".init_array.0", ".rela.init_array.0"].contains(section) { continue }
            return Rejection(LocalizableMessage(.rejectedSection, section))
        }
        for (index, symbol) in object.symbols.sorted(by: { $0.name < $1.name }).enumerated() {
            if index.isMultiple(of: 16), ContinuousClock.now >= deadline {
                return Rejection(LocalizableMessage(.readingTimedOut, seconds.short))
            }
            if symbol.section == nil {
                if let rejection = rejectionOfNeed(symbol.name) { return rejection }
            } else if symbol.binding != .local, !isOwn(symbol.name, isWeak: symbol.binding == .weak) {
                return Rejection(LocalizableMessage(.rejectedDefinition, Self.shown(symbol.name)))
            }
        }
        return nil
    }

    /// The functions of C that are used as values: the compiler makes a Swift function of each.
    static func cFunctionValues(in object: ObjectFile) -> [String] {
        object.symbols.filter { $0.section != nil && $0.name.hasSuffix("TO") }.compactMap { symbol in
            guard let text = demangled(symbol.name), text.hasPrefix("@nonobjc __C.") else { return nil }
            return declarationPath(text).last.map(String.init)
        }.sorted()
    }

    /// A symbol's name as far as a person reads it.
    private static func shown(_ symbol: String) -> String {
        let name = demangled(symbol) ?? symbol
        return name.utf8.count <= 300 ? name : String(decoding: name.utf8.prefix(300), as: UTF8.self) + "…"
    }

    /// Why a symbol may not be needed; `nil` where it may.
    func rejectionOfNeed(_ symbol: String) -> Rejection? {
        if symbol.isEmpty { return nil }
        guard let text = demangled(symbol) else {
            if namesEscaping, symbol == "swift_isEscapingClosureAtFileLocation" {
                return Rejection(LocalizableMessage(.rejectedEscaping), word: "withoutActuallyEscaping")
            }
            let refused = Rejection(LocalizableMessage(.rejectedSymbol, symbol), word: symbol)
            return Self.isAllowed(cSymbol: symbol) ? nil : refused
        }
        // What is too long to be written out is not looked through either.
        if isShortened(text) { return Rejection(LocalizableMessage(.rejectedSymbol, Self.shown(symbol))) }
        if let way = Self.wayToFiles(text) {
            let word = way.prefix { $0.isLetter }
            return Rejection(LocalizableMessage(.rejectedSymbol, way), word: String(word))
        }
        let path = declarationPath(text)
        // C reads such arguments as a format tells it to. The module `Checked` has versions that look at them first.
        // That a type can be such an argument is another matter.
        if text.contains("Swift.CVarArg"), !text.hasPrefix("protocol "),
            path.first == "Foundation" || text.contains("(extension in Foundation")
        {
            let word = path.last.map(String.init) ?? ""
            return Rejection(LocalizableMessage(.rejectedFormat), word: word.hasSuffix("init") ? "format" : word)
        }
        // Such functions are made for the compiler, and hand out objects for numbers.
        if text.contains("Builtin."), let name = path.last, name.hasPrefix("_"), !Self.builtins.contains(String(name)) {
            return Rejection(LocalizableMessage(.rejectedUnsafe, String(name)), word: String(name))
        }
        for name in dottedNames(text) {
            guard let head = name.first, name.count > 1 else { continue }
            // What is needed is the declaration; of the types in its signature, each is needed by itself where it is made.
            let isNeeded = path.count < 2 || path.starts(with: name) || name.starts(with: path)
            if !isNeeded, Self.ownModules.contains(head) { continue }
            guard let part = refusedPart(head, name.dropFirst(), in: text) else { continue }
            let word = String(part)
            if !Self.executors.isDisjoint(with: name.map(String.init)) {
                return Rejection(LocalizableMessage(.rejectedExecutor), word: word)
            }
            let isMemory = head == "Swift" && name.contains { $0.contains("Unsafe") || $0.hasPrefix("Unmanaged") }
            let refused = head.isEmpty ? text : name.joined(separator: ".")
            return Rejection(LocalizableMessage(isMemory ? .rejectedUnsafe : .rejectedSymbol, refused), word: word)
        }
        return nil
    }

    /// The part of a dotted name for which it is refused; `nil` where it is not.
    private func refusedPart(_ head: Substring, _ rest: ArraySlice<Substring>, in text: String) -> Substring? {
        func isRefusedMember(_ part: Substring) -> Bool { Self.refusedMembers.contains(String(part)) }
        func first(unlessIn allowed: Set<String>) -> Substring? {
            rest.first.flatMap { allowed.contains(String($0)) ? nil : $0 }
        }
        switch head {
        case "":
            return rest.first { Self.isRefusedInSwift($0) || isRefusedMember($0) }
        case "Swift":
            // An array literal's storage comes with a pointer in the type of the function that makes it.
            if text.contains("_allocateUninitialized") || Self.inlinedInSwift.contains(rest.joined(separator: ".")) {
                return nil
            }
            return rest.first(where: Self.isRefusedInSwift)
        case "Foundation" where rest.first == "FileHandle":
            // The two streams that printing goes to, and no other file.
            let others = rest.filter { !Self.streamNames.contains($0) }
            return others.isEmpty ? nil : others.first { !$0.hasSuffix("init") } ?? rest.first
        case "FoundationInternationalization":
            return rest.first(where: isRefusedMember)
        case "Foundation", "FoundationEssentials":
            return first(unlessIn: Self.foundationNames) ?? rest.first(where: isRefusedMember)
        case "Dispatch":
            return first(unlessIn: Self.dispatchNames)
        case "_Concurrency", "Synchronization", "Combine", "Observation", "_StringProcessing",
            "RegexBuilder", "_RegexParser", "Builtin", "Checked":
            return nil
        case "Glibc":
            // The number of the last error, which belongs to the thread.
            return rest == ["errno"] || rest == ["errno", "getter"] ? nil : rest.first
        case "__C":
            return first(unlessIn: Self.cNames)
        default:
            if head == module { return nil }
            // A generic parameter, such as `A.Element` or `A1.Output`; or a local name such as `Self.Output`.
            if head == "Self" || head == "Any"
                || head.first?.isUppercase == true && head.dropFirst().allSatisfy(\.isNumber)
            {
                return nil
            }
            return rest.first
        }
    }

    private static let ownModules: Set<Substring> = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    ]

    /// Whether a defined symbol belongs to the submission's own module.
    private func isOwn(_ symbol: String, isWeak: Bool) -> Bool {
        // The compiler's private helpers have names that no other language can call.
        if symbol.contains(" ") { return true }
        if let text = demangled(symbol) {
            if isShortened(text) { return false }
            // Copies that the compiler makes of shared helpers, such as metadata caches, are weak and carry no module of ours.
            return isWeak || dottedNames(text).contains { $0.first == Substring(module) }
                || text.contains("in \(module))")
                || text.contains("in \(module):") || text.hasSuffix("in \(module)")
        }
        if isWeak, symbol == "DW.ref.__gcc_personality_v0" { return true }
        return Self.compilerHelpers.contains { symbol.hasPrefix($0) }
    }

    private static let sanitizersInitializer = "tsan.module_ctor"

    private static let compilerHelpers = [
        "__swift_", "got.", "swift_willThrowTyped", "objectdestroy", "dynamic_cast_existential_", "block_",
        "_swift_implicitisolationactor_to_executor_cast",
    ]

    static func isKnownSection(_ name: String) -> Bool {
        if knownSections.contains(name) { return true }
        let bare = name.hasPrefix(".rela") ? String(name.dropFirst(5)) : name
        return knownSections.contains(bare) || knownPrefixes.contains { bare.hasPrefix($0) }
    }

    private static let knownSections: Set<String> = [
        "", ".text", ".data", ".bss", ".rodata", ".tbss", ".tdata", ".comment", ".note.GNU-stack", ".eh_frame",
        ".group",
        ".symtab", ".strtab", ".shstrtab", ".symtab_shndx", ".llvm_addrsig", ".swift1_autolink_entries",
        ".linker-options", ".data.rel.ro",
        ".note.gnu.property", ".gcc_except_table",
        "swift5_protocols", "swift5_protocol_conformances", "swift5_type_metadata", "swift5_typeref", "swift5_reflstr",
        "swift5_type_metadata_2", "swift5_fieldmd", "swift5_assocty", "swift5_capture", "swift5_builtin",
        "swift5_mpenum",
        // what debuggers read
        ".lldbsummaries",
        ".swift_modhash", "swift5_accessible_functions", "swift5_runtime_attributes",
    ]
    private static let knownPrefixes = [
        ".text.", ".rodata.", ".rodata", ".data.", ".bss.", ".tbss.", ".tdata.", ".debug_", ".gcc_except_table.",
        "swift5_typeref.",
    ]

    private static func isRefusedInSwift(_ part: Substring) -> Bool {
        if refusedInSwift.contains(String(part)) || executors.contains(String(part)) { return true }
        guard part.contains("Unsafe") || part.contains("unsafe") || part.hasPrefix("Unmanaged") else { return false }
        return !allowedUnsafeInSwift.contains(String(part))
    }

    private static let refusedInSwift: Set<String> = [
        "CommandLine", "readLine", "_typeByName", "_getTypeByMangledNameUntrusted",
        "_getTypeByMangledNameInEnvironment",
        "_getTypeByMangledNameInContext", "OpaquePointer", "CVaListPointer", "withVaList", "_openExistential",
        "_unsafeUncheckedDowncast", "_stdlib_atomicCompareExchangeStrongPtr", "AutoreleasingUnsafeMutablePointer",
        "_swift_stdlib_getUnsafeArgvArgc", "_ThreadLocalStorage", "_UnsafeBitMap",
        "_withUnprotectedUnsafeTemporaryAllocation",
        // Makes a pointer of a type that is not named, of which the check of memory says nothing.
        "_Pointer",
        // What lies behind its header holds what was there before.
        "ManagedBuffer", "ManagedBufferPointer",
        // The module `Checked` has versions that end with their scope.
        "TaskGroup", "ThrowingTaskGroup", "DiscardingTaskGroup", "ThrowingDiscardingTaskGroup", "withTaskGroup",
        "withThrowingTaskGroup", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
    ]
    /// A job that is run twice resumes its task, which may be the suite's, wherever that waits by then.
    private static let executors: Set<String> = ["ExecutorJob", "UnownedJob", "TaskExecutor", "UnownedTaskExecutor"]
    /// What literals leave behind.
    private static let builtins: Set<String> = ["_allocateUninitializedArray"]
    /// What the standard library's own inlined code leaves behind in honest objects.
    private static let inlinedInSwift: Set<String> = ["UnsafeMutablePointer.initialize"]
    private static let allowedUnsafeInSwift: Set<String> = ["unsafeMutableAddressor"]

    /// What a kata may need of Dispatch: queues, timers and locks, and nothing that reads or writes by a descriptor.
    private static let dispatchNames: Set<String> = [
        "DispatchQueue", "DispatchGroup", "DispatchSemaphore", "DispatchWorkItem", "DispatchWorkItemFlags",
        "DispatchTime", "DispatchWallTime", "DispatchTimeInterval", "DispatchTimeoutResult", "DispatchQoS",
        "DispatchSource", "DispatchSourceProtocol", "DispatchSourceTimer", "DispatchSourceUserDataAdd",
        "DispatchSourceUserDataOr", "DispatchSourceUserDataReplace", "DispatchPredicate",
        "DispatchObject", "_dispatchPreconditionTest", "_DispatchTime", "dispatchMain", "DispatchQueueAttributes",
        "DispatchSerialQueue", "DispatchConcurrentQueue",
    ]
    /// What a kata may need of Foundation.
    private static let foundationNames: Set<String> = [
        "Notification", "NotificationCenter", "NSNotification", "NotificationQueue", "Date", "DateInterval",
        "DateComponents",
        "Calendar", "TimeZone", "Locale", "Data", "DataProtocol", "UUID", "NSLock", "NSLocking", "NSRecursiveLock",
        "NSCondition",
        "NSConditionLock", "OperationQueue", "Operation", "BlockOperation", "Timer", "RunLoop", "Thread", "Decimal",
        "URL",
        "URLComponents", "URLQueryItem", "JSONEncoder", "JSONDecoder", "PropertyListEncoder", "PropertyListDecoder",
        "NSObject",
        "NSObjectProtocol", "NSError", "NSNumber", "NSString", "NSValue", "NSArray", "NSDictionary", "NSSet", "NSNull",
        "NSDate", "NSUUID", "LocalizedError", "CustomNSError", "RecoverableError", "CocoaError", "URLError",
        "POSIXError",
        "DateFormatter", "ISO8601DateFormatter", "NumberFormatter", "Formatter", "MeasurementFormatter",
        "ByteCountFormatter",
        "DateComponentsFormatter", "DateIntervalFormatter", "RelativeDateTimeFormatter", "ListFormatter", "FormatStyle",
        "ParseStrategy", "FloatingPointFormatStyle", "IntegerFormatStyle", "IntegerParseStrategy", "Measurement",
        "Unit", "Dimension", "UnitDuration", "UnitLength", "UnitMass", "UnitTemperature", "UnitInformationStorage",
        "UnitSpeed", "JSONSerialization", "Progress", "ProgressReporting", "NSLog", "AttributedString", "CharacterSet",
        "IndexSet",
        "IndexPath",
        "NSRange", "NSMutableString", "NSMutableArray", "NSMutableDictionary", "NSMutableSet",
        "NSCache", "NSOrderedSet",
        "NSAttributedString", "NSRegularExpression", "NSTextCheckingResult", "_NSRange",
        "NSPredicate", "NSSortDescriptor", "SortDescriptor", "SortOrder",
        "SortComparator",
        "ComparableComparator", "KeyPathComparator", "Predicate", "PredicateExpressions", "PredicateError",
        "ReferenceConvertible", "_ObjectiveCBridgeable",
        "_ErrorCodeProtocol",
        "_BridgedStoredNSError", "_BridgedNSError", "__BridgedNSError", "_convertErrorToNSError",
        "_convertNSErrorToError", "ErrorUserInfoKey", "StringProtocol", "String", "Array",
        "Dictionary", "Set", "Int", "Double", "Bool", "Float", "UInt", "Sequence", "Collection",
        "BidirectionalCollection",
        "RandomAccessCollection", "MutableCollection", "BinaryInteger", "BinaryFloatingPoint", "Duration",
        "ContiguousBytes",
        "MessagePort", "ProcessInfo", "autoreleasepool", "NSNotFound", "NSCopying", "NSMutableCopying", "NSCoding",
        "NSSecureCoding",
        "NSFastEnumeration", "NSKeyValueObservation", "Unicode", "ObjectIdentifier", "CodableWithConfiguration",
        "EncodableWithConfiguration", "DecodableWithConfiguration", "_NSBundleOverridden", "NSStringEncoding", "round",
        "sqrt", "pow",
        "floor", "ceil", "log", "exp", "sin", "cos", "tan", "fabs", "fmod", "arc4random", "NSEnumerator",
        "TimeInterval", "_Error",
        "PersonNameComponents", "NSDecimalNumber", "EnergyFormatter", "StringTransform",
    ]
    private static let streamNames: Set<Substring> = [
        "FileHandle", "standardError", "standardOutput", "getter", "write",
    ]
    /// The argument label by which an allowed type of Foundation reaches files; extensions of Swift's own types have them too.
    private static func wayToFiles(_ text: String) -> String? {
        guard text.contains("Foundation") else { return nil }
        if text.contains("contentsOf: "), text.contains("URL") { return "contentsOf:" }
        return refusedLabels.first { text.contains($0) }
    }

    private static let refusedLabels = [
        "contentsOfFile", "contentsOfURL", "toFile:", "write(to:", "atPath", "fileURLWithPath", "fileWrapper",
        "bookmarkData",
        "resourceValues", "fileReferenceURL", "checkResourceIsReachable", "resolvingSymlinks", "mappedIfSafe",
        "checkPromisedItem", "setResourceValue", "resourceBytes",
    ]
    private static let refusedMembers: Set<String> = [
        "FileManager", "exit", "environment", "arguments", "hostName", "userName", "fullUserName", "processIdentifier",
        "globallyUniqueString", "detachNewThreadSelector", "main_", "bytesNoCopy",
    ]
    /// C types by Swift's names for them.
    private static let cNames: Set<String> = [
        "timespec", "timeval", "tm", "_IO_FILE", "_NSRange", "NSRange", "NSComparisonResult", "NSStringCompareOptions",
        "CGFloat",
        "dispatch_object_s", "dispatch_queue_s", "OS_dispatch_queue", "dispatch_time_t", "NSQualityOfService",
        "clockid_t",
    ]

    private static func isAllowed(cSymbol: String) -> Bool {
        if cSymbols.contains(cSymbol) || cSymbol.hasPrefix("__tsan_") { return true }
        if cSymbol.hasPrefix("swift_") || cSymbol.hasPrefix("_swift_") || cSymbol.hasPrefix("__swift_") {
            return !refusedRuntime.contains { cSymbol.hasPrefix($0) }
        }
        return false
    }

    /// Runtime entry points that look types or functions up by name, or hand out what another image holds.
    private static let refusedRuntime = [
        "swift_getTypeByMangledNode", "swift_register", "swift_addNewDSOImage", "swift_loadDynamicReplacement",
        "swift_lookupDynamicReplacement", "_swift_stdlib_getUnsafeArgvArgc", "swift_stdlib_readLine_stdin",
        "swift_enumerate",
        "swift_getFunctionReplacement", "swift_slowAllocTyped", "_swift_dlopen", "swift_reflection",
        "swift_distributed",
        "swift_task_enqueueGlobal_hook", "swift_task_enqueueMainExecutor_hook",
        "swift_task_enqueueGlobalWithDelay_hook",
        "swift_task_enqueueGlobalWithDeadline_hook", "swift_task_asyncMainDrainQueue_hook", "swift_demangle",
        "swift_runtime",
        "_swift_enableSwizzling", "swift_generateResultBuilder", "swift_stdlib_getUnsafe", "swift_job_",
        // Only a continuation that checks nothing is resumed by these directly.
        "swift_continuation_resume", "swift_continuation_throwingResume",
        "swift_taskGroup",
    ]

    private static let cSymbols: Set<String> = [
        // memory and text
        "memcpy", "memmove", "memset", "memcmp", "memchr", "bzero", "malloc", "free", "calloc", "realloc",
        "posix_memalign",
        "aligned_alloc", "malloc_usable_size", "strlen", "strcmp", "strncmp", "strchr",
        // numbers
        "fmod", "fmodf", "remainder", "pow", "powf", "exp", "exp2", "log", "log2", "log10", "log1p", "expm1", "sin",
        "cos", "tan",
        "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sqrt", "cbrt", "hypot", "floor", "ceil", "round",
        "trunc", "rint",
        "nearbyint", "lround", "lrint", "fma", "ldexp", "frexp", "scalbn", "fmax", "fmin", "random", "rand", "srand",
        "srandom",
        "drand48", "arc4random", "arc4random_uniform", "sinf", "cosf", "floorf", "ceilf", "roundf", "truncf", "abs",
        "labs",
        // time
        "time", "clock", "nanosleep", "usleep", "sleep", "difftime", "sched_yield",
        // printing
        "fputs", "fflush", "stdout", "stderr",
        // who runs
        "getpid", "pthread_self", "pthread_equal", "pthread_main_np",
        // what `Mutex` inlines; Swift cannot call `syscall` by itself, and the harness walls what it may do
        "syscall", "__tls_get_addr", "_GLOBAL_OFFSET_TABLE_",
        // blocks and the compiler's own
        "_Block_copy", "_Block_release", "_NSConcreteStackBlock", "_NSConcreteGlobalBlock", "_NSConcreteMallocBlock",
        "__stack_chk_fail", "__stack_chk_guard", "_Unwind_Resume", "__gcc_personality_v0", "__gxx_personality_v0",
        "__swift_personality",
        "__isPlatformVersionAtLeast", "__isOSVersionAtLeast", "_swiftEmptyArrayStorage",
        "_swiftEmptyDictionarySingleton",
        "_swiftEmptySetSingleton", "__errno_location", "__divti3", "__udivti3", "__modti3", "__umodti3", "__muloti4",
        "__multi3",
    ]
}
