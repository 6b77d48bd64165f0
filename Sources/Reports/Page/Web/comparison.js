(() => {
  const { data, words, number, h, s, scrolling, prose, visible, short, clock, timeAxis, stepCurve, name } = page;
  const main = document.getElementById("main");
  const { report } = data;
  const outcomeMarks = { mastered: "★", passed: "✓", failed: "✗", didNotCompile: "⚠", rejected: "⊘", notStarted: "○" };
  const ends = { finished: words.endFinished, timeUp: words.endTimeUp };
  const time = (value) => h("td", { class: "number" }, value === null || value === undefined ? "–" : clock(value));
  const count = (value) => h("td", { class: "number" }, number.format(value));
  const head = (labels) => h("thead", {}, h("tr", {}, labels.map(([label, type]) => h("th", { scope: "col", class: type }, label))));
  const numbers = (labels) => labels.map((label) => [label, "number"]);

  function sessions() {
    return h("section", {}, h("h2", {}, words.sessions), scrolling(words.sessions, h("table", { id: "sessions" },
      head([[words.session], ...numbers([words.worked, words.realTime, words.paused, words.asleep, words.away, words.saves, words.hints]), [words.end],
        [words.replay]]),
      h("tbody", {}, report.sessions.map((session, index) => h("tr", {}, h("th", { scope: "row" }, name(session.session)),
        h("td", { class: "number" }, clock(session.seconds) + "/" + clock(session.minutes * 60)),
        time(session.realSeconds), [session.pausedSeconds, session.asleepSeconds, session.awaySeconds].map((value) => time(value > 0 ? value : null)),
        count(session.saves),
        h("td", { class: "number" }, number.format(session.hints)
          + (session.hintLimit === null ? "" : "/" + number.format(session.hintLimit))),
        h("td", {}, ends[session.end] ?? words.endOpen),
        h("td", {}, h("a", { href: encodeURIComponent(data.replays[index]) }, words.replay))))))));
  }

  function kata({ kata, results }) {
    return h("section", { class: "kata" }, h("h2", {}, kata), scrolling(kata, h("table", {},
      head([[words.session], [words.state], ...numbers([words.points, words.firstCorePass, words.passedAt, words.masteredAt,
        words.hints, words.saves, words.bursts, words.timeSpent])]),
      h("tbody", {}, results.map((result) => h("tr", {}, h("th", { scope: "row" }, name(result.session)),
        h("td", {}, outcomeMarks[result.outcome] + " " + words.outcomes[result.outcome]),
        h("td", { class: "number" }, number.format(result.points) + "/" + number.format(result.maxPoints)),
        time(result.firstCorePass), time(result.passed), time(result.mastered), count(result.hints), count(result.saves), count(result.bursts),
        time(result.seconds)))))), rubric(kata, results));
  }

  // What the observer thinks of the answers to the brief's questions: the sessions below each question.
  function rubric(kata, results) {
    const questions = new Map();
    for (const told of results.flatMap((result) => result.rubric)) {
      if (!questions.has(told.number)) questions.set(told.number, told.question);
    }
    if (questions.size === 0) return "";
    const row = (number) => (result) => {
      const all = result.rubric.filter((told) => told.number === number);
      return (all.length ? all : [undefined]).map((told) => h("tr", {}, h("th", { scope: "row" }, name(result.session)),
        h("td", { class: "number" }, told?.mark ? String(told.mark) : "–"),
        h("td", {}, told?.observer ? [name(told.observer), " · "] : null, visible(told?.sentence ?? ""))));
    };
    return [h("h3", {}, words.rubric), scrolling(words.rubric + " · " + kata, h("table", { class: "rubric" },
      head([[words.session], [words.markGiven, "number"], [words.sentence]]),
      [...questions.keys()].sort((a, b) => a - b).map((place) => h("tbody", {},
        h("tr", {}, h("th", { colspan: 3, scope: "rowgroup" }, place + ". ", prose(questions.get(place)))),
        results.map(row(place))))))];
  }

  // Each session's curve, told apart by its dashes and by its name at its end.
  function curves() {
    const most = Math.max(1, ...data.curves.flat().map(([, tests]) => tests));
    const left = 60;
    const right = 1000;
    const bottom = 220;
    const axis = timeAxis(left, right, Math.max(...report.sessions.map((session) => session.seconds)));
    const y = (tests) => bottom - (tests / most) * (bottom - 20);
    const names = data.curves.map((points, index) => ({ index, x: axis.x(points[points.length - 1][0]), y: y(points[points.length - 1][1]) }))
      .sort((a, b) => a.y - b.y);
    let free = -Infinity;
    for (const end of names) {
      end.y = Math.max(end.y, free);
      free = end.y + 14;
    }
    return h("section", {}, h("h2", {}, words.passing), scrolling(words.passing,
      s("svg", { class: "curves", viewBox: "0 0 1200 " + Math.max(bottom + 26, free), role: "img", "aria-label": words.passing },
        axis.draw(20, bottom), s("text", { class: "quiet", x: left - 6, y: 24, "text-anchor": "end" }, number.format(most)),
        s("text", { class: "quiet", x: left - 6, y: bottom + 4, "text-anchor": "end" }, number.format(0)),
        data.curves.map((points, index) => stepCurve(points, axis, y, { class: "curve s" + (index % 4) })),
        names.map((end) => s("text", { class: "name", x: end.x + 6, y: end.y + 4 }, short(report.sessions[end.index].session, 24))))));
  }

  document.getElementById("title").textContent = words.comparisonTitle;
  const remarks = [...(report.blind ? [words.comparisonBlind] : []), ...report.remarks];
  main.replaceChildren(
    remarks.length ? h("ul", { class: "remarks", id: "remarks" }, remarks.map((text) => h("li", {}, prose(text)))) : "",
    sessions(), ...report.katas.map(kata), report.katas.length ? curves() : "");
})();
