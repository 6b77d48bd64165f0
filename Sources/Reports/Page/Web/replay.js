(() => {
  const { data, words, number, h, s, scrolling, mark, prose, plain, filled, format, align, tokens, testView, line, source, visible, short, clock, timeAxis, stepCurve, name } = page;
  const main = document.getElementById("main");
  const columns = data.katas.map(({ kata, story, solution, solutionColors }) => ({
    ...kata, story, solution: solution === undefined ? undefined : lines(solution, solutionColors),
  }));
  const hasAnswers = columns.some((column) => column.solution !== undefined);
  const dateTime = new Intl.DateTimeFormat(data.language, { dateStyle: "long", timeStyle: "short" });

  const outcomeMarks = {
    mastered: "★", passed: "✓", failed: "✗", didNotCompile: "⚠", rejected: "⊘", notStarted: "○", none: "–",
  };
  const causeMarks = { paused: "‖", asleep: "☾", away: "⇥" };
  const causeWords = { paused: words.paused, asleep: words.asleep, away: words.away };
  const kindMarks = { opened: "▸", hint: "?", note: "✎", privateNote: "✐", closed: "■" };
  const kindWords = { opened: words.opened, hint: words.hint, note: words.note, privateNote: words.privateNote, closed: words.closed };
  const burstMark = "≡";
  const outcomeWords = { ...words.outcomes, none: words.verdictMissing };

  // What is known at each moment: the text and the verdict that count then, and how many tests pass.
  const moments = [];
  {
    const texts = new Map();
    const verdicts = new Map();
    const compiled = new Map();
    const passing = columns.map(() => ({ all: 0, core: 0 }));
    let open = null;
    data.moments.forEach((moment, index) => {
      const told = { ...moment, index, isSave: moment.kind === "save" };
      if (moment.text !== undefined) {
        open = moment.kata;
        told.shown = index;
        told.before = texts.get(moment.kata);
        texts.set(moment.kata, index);
      } else {
        told.kata = moment.kata ?? open ?? undefined;
        told.shown = texts.get(told.kata);
        told.before = told.shown === undefined ? undefined : moments[told.shown].before;
      }
      if (told.isSave) {
        verdicts.set(moment.kata, index);
        const verdict = data.verdicts[moment.verdict];
        told.outcome = verdict ? verdict.outcome : "none";
        if (verdict) {
          // Of what does not compile no test passes, but it does not tell which one has changed.
          if (verdict.outcome !== "didNotCompile") {
            told.passedBefore = data.verdicts[moments[compiled.get(moment.kata)]?.verdict]?.tests ?? "";
            compiled.set(moment.kata, index);
          }
          const tests = columns[moment.kata].tests;
          passing[moment.kata] = {
            all: [...verdict.tests].filter((code) => code === "P").length,
            core: [...verdict.tests].filter((code, t) => code === "P" && tests[t].tier === "core").length,
          };
        }
      }
      const said = [moment.stopped && words.stoppedSave,
        moment.burst && format(words.burst, number.format(moment.burst.characters), clock(moment.burst.seconds))].filter(Boolean);
      if (said.length) told.words = said.join("\n");
      told.graded = verdicts.get(told.kata);
      told.all = passing.reduce((sum, kata) => sum + kata.all, 0);
      told.core = passing.reduce((sum, kata) => sum + kata.core, 0);
      told.ofKata = passing[told.kata]?.all ?? 0;
      moments.push(told);
    });
  }
  const allTests = columns.reduce((sum, column) => sum + column.tests.length, 0);
  const coreTests = columns.reduce((sum, column) => sum + column.tests.filter((test) => test.tier === "core").length, 0);

  function markOf(moment) {
    if (moment.isSave) return outcomeMarks[moment.outcome];
    return moment.kind === "gap" ? causeMarks[moment.cause] : kindMarks[moment.kind];
  }

  // How many tests of its kata pass with a save; nothing for a save without a verdict.
  function countOf(moment) {
    if (moment.outcome === "none") return "";
    return number.format(moment.ofKata) + "/" + number.format(columns[moment.kata]?.tests.length ?? 0);
  }

  function titleOf(moment) {
    const kata = moment.kata === undefined ? "" : columns[moment.kata].name;
    if (moment.isSave) {
      return [format(words.saveNumber, number.format(moment.number)), kata, outcomeWords[moment.outcome], countOf(moment),
        moment.burst ? burstMark + " " + words.bursts : "", moment.stopped ? causeMarks[moment.stopped] + " " + words.stopped : ""].filter(Boolean).join(" · ");
    }
    switch (moment.kind) {
      case "gap": return causeWords[moment.cause] + " · " + clock(moment.seconds);
      case "hint": {
        const test = columns[moment.kata]?.tests[moment.test];
        return [format(words.hintNumber, number.format(moment.level)), kata, test && plain(test.title)].filter(Boolean).join(" · ");
      }
      case "closed": return kindWords.closed + " · " + (data.end === "timeUp" ? words.endTimeUp : words.endFinished);
      default: return [kindWords[moment.kind], kata, moment.observer && short(moment.observer, 40)].filter(Boolean).join(" · ");
    }
  }

  // The session at a glance.
  function cards() {
    const card = (label, value, id) => h("li", { id }, h("b", {}, value), label);
    const gap = (cause) => data.gaps[cause] > 0 ? card(causeWords[cause], clock(data.gaps[cause]), cause) : null;
    const count = (kind) => moments.filter((moment) => moment.kind === kind).length;
    const limit = data.hintLimit === undefined ? "" : "/" + number.format(data.hintLimit);
    const end = { finished: words.endFinished, timeUp: words.endTimeUp }[data.end] ?? words.endOpen;
    return h("ul", { class: "cards", id: "cards" },
      card(words.candidate, name(data.candidate), "candidate"),
      data.begun === undefined ? null : card(words.begun, dateTime.format(new Date(data.begun)), "begun"),
      card(words.worked, clock(data.seconds) + "/" + clock(data.minutes * 60)),
      card(words.passing, number.format(moments[moments.length - 1]?.all ?? 0) + "/" + number.format(allTests)),
      card(words.saves, number.format(count("save"))), card(words.hints, number.format(count("hint")) + limit),
      card(words.notes, number.format(count("note"))), gap("paused"), gap("asleep"), gap("away"), card(words.end, end));
  }

  // The timeline: marks above, a lane a kata, the curve below, all on one line of time.
  const width = 1200;
  const left = 170;
  const right = width - 60;
  const axis = timeAxis(left, right, data.seconds);
  const badgePlaces = placeBadges();
  const laneTop = (Math.max(0, ...badgePlaces.map(({ row }) => row)) + 1) * 20 + 8;
  const laneHeight = 32;
  const curveTop = laneTop + columns.length * laneHeight + 16;
  const curveBottom = curveTop + 64;
  const heights = { mastered: 21, passed: 17, failed: 12, rejected: 9, didNotCompile: 7, notStarted: 7, none: 4 };
  const playhead = s("g", { "aria-hidden": "true" },
    s("line", { class: "playhead", x1: 0, y1: 0, x2: 0, y2: curveBottom }),
    s("path", { class: "playhead-end", d: "M-6 " + (curveBottom + 9) + "L6 " + (curveBottom + 9) + "L0 " + curveBottom + "Z" }));

  // Marks that are near to each other stand in up to three rows.
  function placeBadges() {
    const free = [-Infinity, -Infinity, -Infinity];
    return moments.filter((moment) => !moment.isSave).map((moment) => {
      const x = axis.x(moment.at);
      let row = free.findIndex((edge) => edge <= x - 18);
      if (row < 0) row = free.indexOf(Math.min(...free));
      free[row] = x;
      return { moment, x, row };
    });
  }

  function badges() {
    return badgePlaces.map(({ moment, x, row }) => {
      const y = 10 + row * 20;
      return s("g", { class: "moment", "data-index": moment.index }, s("title", {}, clock(moment.at) + " " + titleOf(moment)),
        moment.kind === "gap" ? s("line", { class: "gap", x1: x, y1: y + 8, x2: x, y2: curveBottom }) : null,
        s("circle", { class: "badge", cx: x, cy: y, r: 8.5 }),
        s("text", { x, y: y + 4, "text-anchor": "middle" }, markOf(moment)));
    });
  }

  function lanes() {
    const openings = moments.filter((moment) => moment.kind === "opened");
    return columns.map((column, k) => {
      const bottom = laneTop + (k + 1) * laneHeight - 4;
      const stretches = openings.map((opening, place) => {
        if (opening.kata !== k) return null;
        const x = axis.x(opening.at);
        const end = axis.x(openings[place + 1]?.at ?? data.seconds);
        return s("rect", { class: "open", x, y: bottom - 28, width: Math.max(1, end - x), height: 28 });
      });
      let edge = -Infinity;
      const saves = moments.filter((moment) => moment.isSave && moment.kata === k).map((moment) => {
        const x = axis.x(moment.at);
        const height = heights[moment.outcome];
        const hasRoom = x - edge >= 12;
        if (hasRoom) edge = x;
        // A tick's height and sign say what its colour says.
        return s("g", { class: "moment", "data-index": moment.index },
          s("title", {}, clock(moment.at) + " " + titleOf(moment)),
          moment.burst || moment.stopped ? s("text", { class: "burst", x, y: bottom + 3, "text-anchor": "middle" },
            moment.stopped ? causeMarks[moment.stopped] : burstMark) : null,
          s("rect", { class: "tick " + moment.outcome, x: x - 3, y: bottom - height, width: 6, height }),
          hasRoom ? s("text", { x, y: bottom - height - 2, "text-anchor": "middle" }, outcomeMarks[moment.outcome]) : null);
      });
      return [s("text", { class: "lane", x: 4, y: bottom - 9 }, short(column.name, 22)), stretches, saves];
    });
  }

  function curve() {
    const y = (count) => curveBottom - (allTests ? count / allTests : 0) * (curveBottom - curveTop);
    const points = (of) => [[0, 0], ...moments.filter((moment) => moment.isSave).map((moment) => [moment.at, of(moment)]),
      [data.seconds, moments.length ? of(moments[moments.length - 1]) : 0]];
    const end = moments[moments.length - 1] ?? { all: 0, core: 0 };
    return [axis.draw(curveTop, curveBottom),
      s("text", { class: "lane", x: 4, y: curveTop + 12 }, words.passing),
      s("text", { class: "quiet", x: left - 6, y: curveTop + 4, "text-anchor": "end" }, number.format(allTests)),
      s("text", { class: "quiet", x: left - 6, y: curveBottom + 4, "text-anchor": "end" }, number.format(0)),
      s("line", { class: "grid", x1: left, y1: curveTop, x2: right, y2: curveTop }),
      stepCurve(points((moment) => moment.core), axis, y, { class: "curve core", id: "curve-core" }),
      stepCurve(points((moment) => moment.all), axis, y, { class: "curve", id: "curve-all" }),
      s("text", { x: right + 6, y: y(end.all) + 4 }, number.format(end.all)),
      // Beside its own line, and below the other figure where the lines are too near to each other.
      end.core === end.all ? null
        : s("text", { class: "quiet", x: right + 6, y: Math.max(y(end.core), y(end.all) + 12) + 4 }, number.format(end.core))];
  }

  const timeline = s("svg", {
    id: "timeline", viewBox: "0 0 " + width + " " + (curveBottom + 26), role: "slider", tabindex: "0",
    "aria-label": words.timelineHelp, "aria-valuemin": "1", "aria-valuemax": String(Math.max(1, moments.length)),
    onclick: (event) => {
      const hit = event.target.closest(".moment");
      if (hit) {
        show(Number(hit.dataset.index));
        return;
      }
      const box = timeline.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      let nearest = 0;
      for (const moment of moments) {
        if (Math.abs(axis.x(moment.at) - x) <= Math.abs(axis.x(moments[nearest].at) - x)) nearest = moment.index;
      }
      show(nearest);
    },
  }, lanes(), curve(), badges(), playhead);

  function legend() {
    const saves = Object.keys(outcomeMarks).filter((outcome) => moments.some((moment) => moment.outcome === outcome));
    const kinds = Object.keys(kindMarks).filter((kind) => moments.some((moment) => moment.kind === kind));
    const causes = Object.keys(causeMarks).filter((cause) => moments.some((moment) => moment.cause === cause));
    const entry = (type, sign, text) => h("li", {}, h("span", { class: "mark " + type, "aria-hidden": "true" }, sign), text);
    return h("ul", { class: "legend", "aria-label": words.legend },
      saves.map((outcome) => entry(outcome, outcomeMarks[outcome],
        words.save + " · " + outcomeWords[outcome])),
      kinds.map((kind) => entry("badge", kindMarks[kind], kindWords[kind])),
      causes.map((cause) => entry("badge", causeMarks[cause], causeWords[cause])),
      moments.some((moment) => moment.burst) ? entry("", burstMark, words.bursts) : null,
      h("li", {}, h("span", { "aria-hidden": "true" }, "━ "), format(words.bracketed, words.allTests, number.format(allTests))),
      h("li", {}, h("span", { "aria-hidden": "true" }, "┅ "), format(words.bracketed, words.coreTests, number.format(coreTests))));
  }

  // Stepping and playing.
  let current = -1;
  let timer = null;
  const speeds = [1, 4, 16, 64];
  const longestWait = 2000;
  const shortestWait = 40;
  const now = h("p", { id: "now", class: "screen-only", role: "status" });
  const said = h("p", { class: "said screen-only", id: "said", hidden: true });
  const button = (id, label, sign, act) =>
    h("button", { type: "button", id, onclick: act, title: label }, h("span", { "aria-hidden": "true" }, sign + " "), label);
  const first = button("first", words.firstMoment, "⇤", () => step(-Infinity));
  const previous = button("previous", words.previousMoment, "←", () => step(-1));
  const next = button("next", words.nextMoment, "→", () => step(1));
  const last = button("last", words.lastMoment, "⇥", () => step(Infinity));
  const playLabel = h("span", {});
  const play = h("button", { type: "button", id: "play", onclick: () => toggle() }, playLabel);
  const speed = h("select", { id: "speed", onchange: () => { if (timer !== null) wait(); } },
    speeds.map((times) => h("option", { value: String(times), selected: times === 16 }, number.format(times) + "×")));

  function controls() {
    return h("div", { class: "tools screen-only" }, first, previous, play, next, last,
      h("label", { title: words.speedNote }, words.speed + " ", speed));
  }

  // Steps go through what the list shows.
  function step(by) {
    stop();
    const isShown = (moment) => !moment.isSave || moment.index === current;
    const shown = list.classList.contains("marks-only") ? moments.filter(isShown) : moments;
    const place = shown.indexOf(moments[current]);
    show(shown[Math.min(shown.length - 1, Math.max(0, place + by))]?.index);
  }

  function stepToMark(by) {
    stop();
    for (let index = current + by; index >= 0 && index < moments.length; index += by) {
      if (!moments[index].isSave) {
        show(index);
        return;
      }
    }
  }

  function labelPlay() {
    playLabel.textContent = timer === null ? "▶ " + words.play : "◼ " + words.stop;
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    labelPlay();
  }

  function wait() {
    clearTimeout(timer);
    if (current >= moments.length - 1) {
      stop();
      return;
    }
    const seconds = moments[current + 1].at - moments[current].at;
    const delay = Math.min(longestWait, Math.max(shortestWait, (seconds * 1000) / Number(speed.value)));
    timer = setTimeout(() => {
      show(current + 1);
      wait();
    }, delay);
    labelPlay();
  }

  function toggle() {
    if (timer !== null) {
      stop();
      return;
    }
    if (current >= moments.length - 1) show(0);
    wait();
  }

  // The list of all moments: one stop for the Tab key, however many there are.
  const items = moments.map((moment) => h("li", {
    id: "moment-" + (moment.index + 1), role: "option", "aria-selected": "false", "data-index": moment.index,
    class: moment.isSave ? "is-save" : "is-mark",
  }, h("span", { class: "mark " + (moment.isSave ? moment.outcome : ""), "aria-hidden": "true" }, markOf(moment)),
  clock(moment.at) + " " + titleOf(moment),
  moment.words === undefined || moment.isSave ? null : h("p", { class: "words" }, visible(moment.words))));
  const list = h("ul", {
    id: "list", role: "listbox", tabindex: "0", "aria-label": words.moments,
    onclick: (event) => {
      const item = event.target.closest("li");
      if (!item) return;
      stop();
      show(Number(item.dataset.index));
    },
  }, items);

  // Within a pair of changed lines the words that differ are marked, unless hardly anything is the same.
  function pair(removed, added) {
    const a = tokens(removed);
    const b = tokens(added);
    const runs = align(a, b, 40000);
    const same = runs.filter(([part]) => part === 0)
      .reduce((sum, [, from, to]) => sum + a.slice(from, to).join("").trim().length, 0);
    if (same * 3 < Math.max(removed.trim().length, added.trim().length)) return [[[removed, false]], [[added, false]]];
    const pieces = (side) => runs.filter(([part]) => part === 0 || part === side)
      .map(([part, from, to]) => [(part > 0 ? b : a).slice(from, to).join(""), part !== 0]);
    return [pieces(-1), pieces(1)];
  }

  function lines(text, colors) { return source(text, colors, /\r\n|\n|\r/g); }
  const linesAt = (index) => index === undefined ? undefined : lines(data.texts[moments[index].text], data.colors[moments[index].text]);

  // A text as it came of another one; as it is where there is no other.
  function codeView(before, after) {
    const row = (place, sign, { text, colors }, pieces = [[text, false]]) => line(place, sign, pieces, colors);
    if (before === undefined) return { rows: after.map((one, index) => row(index + 1, " ", one)), changes: 0 };
    const [a, b] = [before, after].map((lines) => lines.map(({ text }) => text));
    const rows = [];
    const runs = align(a, b);
    let changes = 0;
    // The numbers of what has not changed are those of the later text.
    let later = 0;
    for (let index = 0; index < runs.length; index += 1) {
      const [part, from, to] = runs[index];
      if (part === 0) {
        for (let at = from; at < to; at += 1) rows.push(row((later += 1), " ", before[at]));
        continue;
      }
      changes += to - from;
      const other = runs[index + 1];
      if (part === -1 && other && other[0] === 1) {
        const count = Math.min(to - from, other[2] - other[1]);
        const pairs = Array.from({ length: count }, (_, at) => pair(a[from + at], b[other[1] + at]));
        for (let at = from; at < to; at += 1) rows.push(row(at + 1, "−", before[at], pairs[at - from]?.[0]));
        for (let at = other[1]; at < other[2]; at += 1) {
          rows.push(row(at + 1, "+", after[at], pairs[at - other[1]]?.[1]));
        }
        changes += other[2] - other[1];
        later = other[2];
        index += 1;
      } else {
        const side = part < 0 ? before : after;
        if (part > 0) later = to;
        for (let at = from; at < to; at += 1) rows.push(row(at + 1, part < 0 ? "−" : "+", side[at]));
      }
    }
    return { rows, changes };
  }

  const codeNote = h("p", { class: "quiet", id: "code-note" });
  const pane = h("div", { class: "pane", id: "code", tabindex: "0", role: "region", "aria-label": words.code });
  const verdictView = h("div", { id: "verdict", class: "screen-only" });
  const answerView = h("div", { id: "answer-view", hidden: true });
  let isAnswerShown = false;
  const answerButton = h("button", {
    type: "button", id: "answer", "aria-expanded": "false", "aria-controls": "answer-view", onclick: () => toggleAnswer(),
  }, words.answerShow);

  function showCode(moment) {
    const shown = linesAt(moment.shown);
    if (shown === undefined) {
      pane.replaceChildren();
      codeNote.textContent = words.codeNone;
      return;
    }
    const before = linesAt(moment.before);
    const { rows, changes } = codeView(before, shown);
    pane.replaceChildren(...rows);
    codeNote.textContent = before === undefined ? words.codeFirst : changes ? words.codeChanged : words.codeSame;
    const change = pane.querySelector(".added, .removed");
    pane.scrollTop = change ? Math.max(0, change.offsetTop - pane.clientHeight / 3) : 0;
  }

  // The tests that a save has won or lost, against the last one that compiled.
  function turned(graded, verdict, column) {
    if (graded.passedBefore === undefined) return null;
    const told = (sign, label, isMeant) => {
      const titles = column.tests.filter((test, t) => isMeant(verdict.tests[t] === "P", graded.passedBefore[t] === "P"));
      return titles.length ? h("p", { class: "turned" }, sign + " ", h("b", {}, label), " ",
        titles.map((test, place) => [place ? " · " : "", prose(test.title)])) : null;
    };
    return [told("▲", words.passesNow, (is, was) => is && !was), told("▼", words.passesNoMore, (is, was) => was && !is)];
  }

  function showVerdict(moment) {
    const column = columns[moment.kata];
    const graded = moment.graded === undefined ? undefined : moments[moment.graded];
    const heading = h("h2", {}, words.verdict);
    if (!column || !graded) {
      verdictView.replaceChildren(heading, h("p", { class: "quiet" }, words.verdictNotYet));
      return;
    }
    const verdict = data.verdicts[graded.verdict];
    if (!verdict) {
      verdictView.replaceChildren(heading, h("p", { class: "message" }, "⚠ " + words.verdictNone));
      return;
    }
    verdictView.replaceChildren(heading, h("div", {},
      h("p", {}, h("span", { class: "mark " + verdict.outcome, "aria-hidden": "true" }, outcomeMarks[verdict.outcome]),
        h("b", {}, words.outcomes[verdict.outcome]), " " + number.format(verdict.points) + "/" + number.format(column.maxPoints)
          + " · " + format(words.saveNumber, number.format(graded.number))),
      turned(graded, verdict, column),
      verdict.diagnostics.length ? [h("h3", {}, words.diagnostics),
        h("pre", { class: "diagnostics" }, visible(verdict.diagnostics.join("\n")))] : null,
      column.tests.map((test, index) => testView(verdict, test, index))));
  }

  function showAnswer(moment) {
    const column = columns[moment.kata];
    if (!isAnswerShown) {
      answerView.hidden = true;
      answerView.replaceChildren();
      return;
    }
    answerView.hidden = false;
    const shown = linesAt(moment.shown);
    if (column?.solution === undefined || shown === undefined) {
      answerView.replaceChildren(h("p", { class: "quiet" }, column?.solution === undefined ? words.answerLeftOut : words.codeNone));
      return;
    }
    answerView.replaceChildren(h("h3", {}, words.answer + " · " + column.name), h("p", { class: "quiet" }, words.answerHow),
      h("div", { class: "pane", id: "answer-code", tabindex: "0", role: "region", "aria-label": words.answer },
        codeView(shown, column.solution).rows));
  }

  function toggleAnswer() {
    if (!hasAnswers) return;
    isAnswerShown = !isAnswerShown;
    answerButton.textContent = isAnswerShown ? words.answerHide : words.answerShow;
    answerButton.setAttribute("aria-expanded", String(isAnswerShown));
    if (moments[current]) showAnswer(moments[current]);
  }

  // What is drawn at a moment is drawn then: nothing is kept for moments that nobody looks at.
  function show(index) {
    const moment = moments[index];
    if (!moment || index === current) return;
    if (current >= 0) items[current].setAttribute("aria-selected", "false");
    current = index;
    items[index].setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", items[index].id);
    const item = items[index];
    if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = Math.max(0, item.offsetTop - list.clientHeight / 2);
    }
    playhead.setAttribute("transform", "translate(" + axis.x(moment.at).toFixed(1) + " 0)");
    const text = clock(moment.at) + " · " + titleOf(moment);
    timeline.setAttribute("aria-valuenow", String(index + 1));
    timeline.setAttribute("aria-valuetext", text);
    now.textContent = text;
    said.hidden = moment.words === undefined;
    said.replaceChildren(...visible(moment.words ?? ""));
    first.disabled = previous.disabled = index === 0;
    next.disabled = last.disabled = index === moments.length - 1;
    showCode(moment);
    showVerdict(moment);
    showAnswer(moment);
  }

  // The code comes first: on a small screen it is what one sees. A wide one has room for all, and places it by areas.
  function desk() {
    return h("section", { class: "desk", id: "desk" },
      h("div", { class: "code screen-only" }, h("h2", {}, words.code), codeNote, pane,
        h("p", {}, hasAnswers ? [answerButton, " ", h("span", { class: "quiet" }, words.answerSource)]
          : h("span", { class: "quiet", id: "no-answer" }, words.answerLeftOut)), answerView),
      h("div", { class: "steps screen-only" }, controls(), now, said),
      verdictView,
      h("div", { class: "moments screen-only" }, h("h2", {}, words.moments),
        h("label", {}, h("input", {
          type: "checkbox", id: "only-marks", onchange: (event) => list.classList.toggle("marks-only", event.target.checked),
        }), " " + words.onlyMarks), list),
      h("div", { class: "time" }, scrolling(words.timeline, timeline)));
  }

  // What the observer thought of the answers to the briefs' questions.
  function rubric() {
    if (!data.rubric?.length) return "";
    const col = (label) => h("th", { scope: "col" }, label);
    const hasNames = data.rubric.some((told) => told.observer);
    return h("section", {}, h("h2", {}, words.rubric), scrolling(words.rubric, h("table", { id: "rubric" },
      h("thead", {}, h("tr", {}, col(words.kata), col(words.question), hasNames ? col(words.observer) : null, col(words.markGiven), col(words.sentence))),
      h("tbody", {}, data.rubric.map((told) => h("tr", {}, h("td", {}, told.kata), h("th", { scope: "row" }, prose(told.question)),
        hasNames ? h("td", {}, told.observer ? name(told.observer) : "–") : null,
        h("td", {}, told.mark === null ? "–" : number.format(told.mark) + "/" + number.format(5)),
        h("td", {}, visible(told.sentence))))))));
  }

  // What the observers said on their scorecards, and where they differ.
  function scorecard() {
    if (!data.scorecard) return "";
    const { title, rows, spreadTitle, spreads } = data.scorecard;
    const col = (label) => h("th", { scope: "col" }, label);
    const hasNames = rows.some((row) => row.observer);
    return h("section", {}, h("h2", {}, title), scrolling(title, h("table", { id: "scorecard" },
      h("thead", {}, h("tr", {}, col(title), hasNames ? col(words.observer) : null, col(words.markGiven), col(words.sentence))),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.item),
        hasNames ? h("td", {}, row.observer ? name(row.observer) : "–") : null,
        h("td", {}, row.mark ?? "–"), h("td", {}, visible(row.sentence))))))),
      spreads.length ? [h("h3", {}, spreadTitle), h("ul", { id: "spreads" },
        spreads.map((spread) => h("li", {}, format(words.labelled, spread.item, spread.marks))))] : null);
  }

  // What came of it, by kata and by test. A time is a way to its save.
  function jump(k, at) {
    if (at === undefined || at === null) return "–";
    const save = moments.find((moment) => moment.isSave && moment.kata === k && moment.at === at);
    if (!save) return clock(at);
    return h("button", { type: "button", onclick: () => { stop(); show(save.index); timeline.focus(); } }, clock(at));
  }

  function tables() {
    const col = (label, type = "number") => h("th", { scope: "col", class: type }, label);
    const katas = scrolling(words.kataByKata, h("table", { id: "katas" },
      h("thead", {}, h("tr", {}, col(words.kata, ""), col(words.state, ""), col(words.points), col(words.firstCorePass),
        col(words.passedAt), col(words.masteredAt), col(words.hints), col(words.saves), col(words.bursts), col(words.timeSpent))),
      h("tbody", {}, columns.map(({ name, story }, k) => story ? h("tr", {}, h("th", { scope: "row" }, name),
        h("td", {}, outcomeMarks[story.outcome] + " " + words.outcomes[story.outcome]),
        h("td", { class: "number" }, number.format(story.points) + "/" + number.format(story.maxPoints)),
        [story.firstCorePass, story.passed, story.mastered].map((at) => h("td", { class: "number" }, jump(k, at))),
        h("td", { class: "number" }, number.format(story.hints)), h("td", { class: "number" }, number.format(story.saves)),
        h("td", { class: "number" }, number.format(story.bursts ?? 0)),
        h("td", { class: "number" }, clock(story.seconds))) : null))));
    const tests = scrolling(words.testByTest, h("table", { id: "tests" },
      h("thead", {}, h("tr", {}, col(words.kata, ""), col(words.test, ""), col(words.firstPassed), col(words.broke, ""),
        col(words.atEnd, ""))),
      h("tbody", {}, columns.flatMap(({ name, story, tests }, k) => tests.map((test, t) => {
        const told = story?.tests[t];
        return h("tr", {}, h("td", {}, name), h("th", { scope: "row" }, prose(test.title), " ",
          h("span", { class: "quiet" }, words.tiers[test.tier])),
        h("td", { class: "number" }, jump(k, told?.firstPassed)),
        h("td", {}, told?.broke.length ? told.broke.map((at, place) => [place ? words.listSeparator : "", jump(k, at)]) : "–"),
        h("td", {}, told?.passesAtEnd ? [mark("P"), words.testOutcomes.passed] : "–"));
      })))));
    return [h("section", {}, h("h2", {}, words.kataByKata), katas), h("section", {}, h("h2", {}, words.testByTest), tests)];
  }

  // On paper: each kata's way in few lines. Saves that came to the same are one line.
  function history() {
    return h("section", { class: "print-only history", id: "history" }, h("h2", {}, words.history), columns.map((column, k) => {
      const rows = [];
      for (const moment of moments) {
        if (moment.kata !== k && moment.kind !== "gap") continue;
        const of = moment.isSave ? moment.outcome + " " + (data.verdicts[moment.verdict]?.tests ?? "") : null;
        const previousRow = rows[rows.length - 1];
        // A save of another kata between them, or something to say about one of them, keeps two saves apart.
        const isNext = previousRow?.of === of && previousRow.to.number + 1 === moment.number
          && previousRow.from.words === undefined && moment.words === undefined;
        if (of !== null && isNext) previousRow.to = moment;
        else if (moment.kata === k) rows.push({ of, from: moment, to: moment });
      }
      return [h("h3", {}, column.name), h("table", {},
        h("thead", {}, h("tr", {}, [words.time, words.moments, words.state, words.passing].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows.map(({ of, from, to }) => {
          const range = (text) => text(from) + (from === to ? "" : "–" + text(to));
          const title = of === null
            ? titleOf(from) : format(words.saveNumber, range((moment) => number.format(moment.number)));
          return h("tr", {}, h("td", { class: "number" }, range((moment) => clock(moment.at))),
            h("td", {}, markOf(from) + " ", from.words === undefined
              ? title : filled(words.labelled, title, h("span", { class: "said" }, visible(from.words)))),
            h("td", {}, of === null ? "" : outcomeWords[from.outcome]),
            h("td", { class: "number" }, of === null ? "" : countOf(to)));
        }))), lastCode(k)];
    }));
  }

  function lastCode(k) {
    const last = moments.findLast((moment) => moment.text !== undefined && moment.kata === k);
    if (!last) return null;
    return [h("h4", {}, words.codeAtEnd), h("div", { class: "last-code" },
      codeView(undefined, linesAt(last.index)).rows)];
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("select, textarea, input:not([type=checkbox])")) return;
    // Up is back in a list, and forth on a slider.
    const up = event.target === list ? -1 : event.target === timeline ? 1 : 0;
    const act = {
      ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => step(-Infinity), End: () => step(Infinity),
      ArrowUp: up ? () => step(up) : null, ArrowDown: up ? () => step(-up) : null,
      PageUp: up ? () => step(up * 10) : null, PageDown: up ? () => step(up * -10) : null,
      n: () => stepToMark(1), p: () => stepToMark(-1), m: () => toggleAnswer(),
      // On a button, a box or a fold the space bar is theirs.
      " ": event.target.matches("button, input, summary, a") ? null : () => toggle(),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });

  document.title = data.candidate + " – " + words.title;
  document.getElementById("title").replaceChildren(name(data.candidate), " – " + words.title);
  if (data.comparison) {
    document.getElementById("title").after(h("p", { class: "screen-only" },
      h("a", { id: "comparison", href: encodeURIComponent(data.comparison) }, words.comparisonTitle)));
  }
  document.getElementById("about").textContent = words.seed + " " + data.seed + " · grader " + data.versions.grader
    + " · Swift " + data.versions.swift;
  document.getElementById("keys").textContent = words.keys;
  main.replaceChildren(desk(),
    data.remarks.length ? h("ul", { class: "remarks", id: "remarks" }, data.remarks.map((text) => h("li", {}, prose(text)))) : "",
    cards(), legend(), h("p", { class: "quiet screen-only" }, words.speedNote), scorecard(), rubric(), ...tables(), history());
  labelPlay();
  show(0);
})();
