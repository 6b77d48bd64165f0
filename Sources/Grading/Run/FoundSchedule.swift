import Foundation
import Workbook

/// What a suite says of an order of steps, before lines are known: a place is a list of offsets into the image, the innermost
/// call first.
struct FoundSchedule: Sendable, Equatable {
    struct Access: Sendable, Equatable, Decodable {
        var at: [Int]
        var does: Deed
    }

    struct Step: Sendable, Equatable, Decodable {
        var thread: Int
        var at: [Int]
        var does: Deed
        var mistake: Bool?
    }

    struct Wait: Sendable, Equatable, Decodable {
        var thread: Int
        var at: [Int]
        var on: Schedule.Wait.Cause
    }

    var text = ""
    /// The two accesses of a data race.
    var race: [Access]?
    var steps: [Step] = []
    var waits: [Wait]?

    /// Longer lists than these are not the harness's.
    private static let mostSteps = 400
    private static let mostWaits = 64

    /// All offsets that it names.
    var offsets: Set<Int> {
        Set(((race ?? []).map(\.at) + steps.map(\.at) + (waits ?? []).map(\.at)).joined())
    }

    /// Where the accesses of a data race are.
    var accesses: Set<Int> { Set((race ?? []).compactMap(\.at.first)) }

    /// What a reader is told of the accesses, where it is a data race.
    func race(in source: SourceLines) -> DataRace? {
        race.map { accesses in
            DataRace(
                lines: accesses.compactMap { access in
                    source.line(of: access.at).map {
                        DataRace.Access(line: $0.number, does: access.does, code: $0.code)
                    }
                })
        }
    }

    /// What a reader is told of the steps.
    ///
    /// - Parameter isWhole: whether every step is told, and not the few that matter most.
    func schedule(in source: SourceLines, isWhole: Bool) -> Schedule {
        let rows = steps.compactMap { step in
            source.line(of: step.at).map {
                Schedule.Row(
                    thread: step.thread, line: $0.number, code: $0.code, does: step.does, mistake: step.mistake == true)
            }
        }
        let told = waits?.map { wait in
            let line = source.line(of: wait.at)
            return Schedule.Wait(thread: wait.thread, on: wait.on, line: line?.number, code: line?.code)
        }
        return Schedule(
            text: text,
            rows: isWhole
                ? ScheduleRows.withoutRepetitions(rows)
                : ScheduleRows.chosen(of: rows, text: text, race: race(in: source)?.lines.map(\.line) ?? []),
            waits: told)
    }
}

extension FoundSchedule: Decodable {
    init?(json: String) {
        guard let found = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = found
    }

    private enum CodingKeys: String, CodingKey { case text, race, steps, waits }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
        self.text = Schedule.isText(text) ? text : ""
        race = try container.decodeIfPresent([Access].self, forKey: .race).map { Array($0.prefix(2)) }
        steps = try container.decodeIfPresent([Step].self, forKey: .steps)?.suffix(Self.mostSteps) ?? []
        waits = try container.decodeIfPresent([Wait].self, forKey: .waits).map { Array($0.prefix(Self.mostWaits)) }
    }
}
