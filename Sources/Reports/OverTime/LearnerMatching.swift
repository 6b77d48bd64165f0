import Workbook

/// Finds the learners of a class in one report after another: by number, account or address, and by name where there is none
/// of these.
struct LearnerMatching {
    private struct Person {
        var marks: Set<LearnerMark>
        var names: Set<String>
    }
    private var people: [Person] = []
    private var places: [LearnerMark: [Int]] = [:]

    var count: Int { people.count }

    /// Who each learner of the next report is: a number of a person, new or known, and no person twice.
    mutating func persons(of learners: [ClassReport.Learner]) -> [Int] {
        var found = [Int?](repeating: nil, count: learners.count)
        var taken: Set<Int> = []
        let known = learners.map { learner in
            Person(
                marks: Set(LearnerMark.all(number: learner.number, github: learner.github, email: learner.email)),
                names: [LearnerName.key(learner.name)])
        }
        // A name takes nobody away from a learner with the same number.
        for find in [byMark, byName] {
            for (index, person) in known.enumerated() where found[index] == nil {
                guard let place = find(person, taken) else { continue }
                found[index] = place
                taken.insert(place)
            }
        }
        return zip(known, found).map { person, place in
            let place = place ?? people.count
            if place == people.count { people.append(Person(marks: [], names: [])) }
            note(person, at: place)
            return place
        }
    }

    private func byMark(_ person: Person, _ taken: Set<Int>) -> Int? {
        let matches = Set(person.marks.flatMap { places[$0] ?? [] }).subtracting(taken).sorted()
        // Several have the same number only by a mistake: then the name decides.
        return matches.first { !people[$0].names.isDisjoint(with: person.names) } ?? matches.first
    }

    private func byName(_ person: Person, _ taken: Set<Int>) -> Int? {
        let matches = person.names.filter { !$0.isEmpty }
            .flatMap { places[LearnerMark(kind: .name, text: $0)] ?? [] }
            .filter { !taken.contains($0) && !isOther(people[$0], person) }
        return matches.count == 1 ? matches[0] : nil
    }

    /// Who has another number, address or account is another person of the same name.
    private func isOther(_ first: Person, _ second: Person) -> Bool {
        !Set(first.marks.map(\.kind)).isDisjoint(with: second.marks.map(\.kind))
    }

    private mutating func note(_ person: Person, at place: Int) {
        let names = person.names.map { LearnerMark(kind: .name, text: $0) }
        for mark in person.marks.union(names) where places[mark]?.contains(place) != true {
            places[mark, default: []].append(place)
        }
        people[place].marks.formUnion(person.marks)
        people[place].names.formUnion(person.names)
    }
}
