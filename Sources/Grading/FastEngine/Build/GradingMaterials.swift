/// What all gradings of a kata share.
struct GradingMaterials: Sendable {
    var tools: BuildTools
    var linkTools: LinkTools
    var harness: HarnessProgram
    var suite: CompiledSuite
}
