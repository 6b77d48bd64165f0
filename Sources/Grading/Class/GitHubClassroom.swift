/// The repositories that GitHub Classroom made for an assignment: `katas-octocat` for the assignment `katas`.
struct GitHubClassroom: Sendable, Equatable {
    private let users: [String: String]
    private let repositories: Set<String>

    /// - Parameters:
    ///   - repositories: the folders that are clones.
    ///   - folder: the name of the folder that they are in: `gh classroom clone` calls it `katas-submissions`.
    init(repositories: [String] = [], in folder: String = "") {
        self.repositories = Set(repositories)
        let ending = "-submissions"
        var prefix = folder.hasSuffix(ending) ? folder.dropLast(ending.count) + "-" : ""
        if prefix.isEmpty || !repositories.allSatisfy({ $0.hasPrefix(prefix) }) {
            // What all names begin with, up to a hyphen; of one name alone that is not known.
            let shared = repositories.count > 1 ? Self.sharedBeginning(of: repositories) : ""
            prefix = shared.lastIndex(of: "-").map { String(shared[...$0]) } ?? ""
        }
        let count = prefix.count
        users = Dictionary(
            repositories.filter { count > 0 && $0.count > count }.map { ($0, String($0.dropFirst(count))) }
        ) { first, _ in first }
    }

    func isClone(_ name: String) -> Bool { repositories.contains(name) }

    func user(of repository: String) -> String? { users[repository] }

    private static func sharedBeginning(of names: [String]) -> String {
        guard let least = names.min(), let most = names.max() else { return "" }
        return String(zip(least, most).prefix { $0 == $1 }.map(\.0))
    }
}
