// Texts, comments and characters of all kinds in what others see of a module.
public func greet(_ name: String = "}\n", _ more: [String] = ["(", " public struct X {"], _ path: String = #"a\b"#) {}
public func `default`(_ text: String = """
    public actor Tally {
    """) {}
/*ANSWER*/
