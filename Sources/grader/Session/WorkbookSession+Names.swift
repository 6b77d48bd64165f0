import Workbook

extension WorkbookSession {
    /// The kata that a person means: by its name in any case, or by the path of its file.
    func kata(named name: String) throws(CommandError) -> Kata {
        if let kata = Self.exactly(name, among: katas) { return kata }
        let names = katas.map(\.kata)
        let message =
            if let nearest = NearestName(to: Self.bare(name), among: names).name {
                strings(.unknownKataNearest, .text(name), .text(nearest))
            } else {
                strings(.unknownKata, .text(name), .list(names))
            }
        throw CommandError(message: message, code: .usage)
    }

    /// The katas that are named, each once and in that order; all of them where no name is given.
    func katas(named names: [String]) throws(CommandError) -> [Kata] {
        guard !names.isEmpty else { return katas }
        var named: [Kata] = []
        for name in names {
            let kata = try kata(named: name)
            if !named.contains(kata) { named.append(kata) }
        }
        return named
    }

    /// Where a kata stands in the command's place, the command that grades it.
    func message(ofKataNamedIn mistake: CommandLineRequest.Mistake) -> String? {
        guard case .unknownCommand(let name, let nearest) = mistake else { return nil }
        let check = Command.check.name
        if let kata = Self.exactly(name, among: katas) {
            return strings(.kataWithoutCommand, .text(name), .text(context.commandLine(.check, kata.kata)))
        }
        guard nearest == nil, let kata = NearestName(to: Self.bare(name), among: katas.map(\.kata)).name else {
            return nil
        }
        return strings(.unknownCommandNearest, .text(name), .text("\(check) \(kata)"))
    }

    /// The kata of a name in any case, or of a path to something in its folder.
    private static func exactly(_ name: String, among katas: [Kata]) -> Kata? {
        let names = [bare(name)] + name.split(separator: "/").reversed().map(String.init)
        return names.lazy.compactMap { name in katas.first { $0.kata.lowercased() == name.lowercased() } }.first
    }

    /// The last part of a path, without the ending that the files have.
    private static func bare(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.lowercased().hasSuffix(".swift") ? String(last.dropLast(".swift".count)) : last
    }
}
