extension SourceScan {
    /// Names of Swift's own library that are public for the compiler only. They hand out objects for numbers, memory that
    /// holds nothing yet, and lifetimes that do not hold, and the compiler's check of memory safety says nothing of them. Many
    /// leave no trace in an object, so they are refused where they are written.
    static let privateNames: Set<String> = [
        // objects and casts
        "_bridgeObject", "_nativeObject", "_makeObjCBridgeObject", "_isTaggedObject", "_isNativePointer",
        "_isNonTaggedObjCPointer", "_unsafeReferenceCast", "_unsafeUncheckedDowncast", "_unsafeDowncastToAnyObject",
        "_identityCast", "_openExistential", "_extractDynamicValue", "_arrayForceCast",
        "_arrayDownCastIndirect", "_unconditionallyBridgeFromObjectiveC", "_forceBridgeFromObjectiveC",
        "_forceBridgeFromObjectiveC_bridgeable", "_bridgeAnythingToObjectiveC", "_withUnsafeGuaranteedRef",
        // memory
        "_allocateUninitializedArray", "_finalizeUninitializedArray", "_deallocateUninitializedArray",
        "_allocateUninitialized", "_uninitializedCount", "_builtinWordValue", "_builtinRawPointer",
        "_consumingUnsafelyUnwrap", "_unsafeElements", "_unsafeStart", "_unsafeBytes", "_unsafeView",
        "_unsafeMutableView", "_unsafePerformance", "_getUnsafePointerToStoredProperties",
        "_getGlobalStringTablePointer",
        "_persistCString", "_Pointer", "_StringGuts", "_COWBufferForReading", "_ValidUTF8Buffer", "_DictionaryBuilder",
        "_SetBuilder", "_OpaqueStringSwitchCache", "_findStringSwitchCaseWithCache", "_ContiguousArrayStorage",
        "_baseAddressIfContiguous", "_convertInOutToPointerArgument", "_convertPointerToPointerArgument",
        "_convertMutableArrayToPointerArgument", "_convertConstArrayToPointerArgument",
        "_convertConstStringToUTF8PointerArgument", "_withUnsafeBufferPointer",
        "_withUnsafeMutableBufferPointerIfSupported",
        "_withUnprotectedUnsafePointer", "_withUnprotectedUnsafeMutablePointer", "_withUnprotectedUnsafeBytes",
        "_withUnprotectedUnsafeMutableBytes", "_withUnprotectedUnsafeTemporaryAllocation", "_copyContents",
        "_copyUTF16CodeUnits", "_rawAddress",
        // lifetimes
        "_overrideLifetime", "_swiftifyOverrideLifetime", "_DependenceToken", "_DependenceType",
        // key paths
        "_createOffsetBasedKeyPath", "_getAtKeyPath", "_getAtPartialKeyPath", "_getAtAnyKeyPath",
        "_setAtWritableKeyPath", "_setAtReferenceWritableKeyPath", "_modifyAtWritableKeyPath_impl",
        "_modifyAtReferenceWritableKeyPath_impl", "_swift_getKeyPath", "_storedInlineOffset",
        // words of memory that threads share
        "_stdlib_atomicCompareExchangeStrongPtr", "_stdlib_atomicLoadARCRef", "_stdlib_atomicInitializeARCRef",
        "_stdlib_atomicAcquiringLoadARCRef", "_stdlib_atomicAcquiringInitializeARCRef", "_stdlib_AtomicInt",
        "_swift_stdlib_atomicLoadInt", "_swift_stdlib_atomicFetchAddInt", "_swift_stdlib_atomicFetchAndInt",
        "_swift_stdlib_atomicFetchOrInt", "_swift_stdlib_atomicFetchXorInt", "_MutexHandle", "_Cell",
        // types by their names
        "_typeByName", "_getTypeByMangledNameInEnvironment", "_getTypeByMangledNameInContext",
        "_getTypeByMangledNameUntrusted", "_getSuperclass", "_getFunctionFullNameFromMangledName",
        // arguments of C
        "_cVarArgEncoding", "_CVarArgPassedAsDouble", "_CVarArgAligned", "_CVarArgObject", "_CVarArgObjectType",
        // tasks
        "_taskGroupWaitNext", "_enqueueJobGlobal", "_wrapContinuation", "_runAsyncMain",
    ]
}
