"use strict";
// What the scripts of all pages share: elements that are made of text alone, numbers in the page's language, and the
// drawings of a verdict.
const page = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = data.words;
  const marks = { P: ["✓", "passed"], F: ["✗", "failed"], C: ["‼", "crashed"], T: ["◷", "timedOut"], N: ["–", "notRun"] };

  const number = new Intl.NumberFormat(data.language, { maximumFractionDigits: 1 });
  const seconds = new Intl.NumberFormat(data.language,
    { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 2 });

  // Names and output are text wherever they go: nothing here ever parses markup.
  function make(namespace, name, properties, children) {
    const element = namespace ? document.createElementNS(namespace, name) : document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return element;
  }
  const h = (name, properties = {}, ...children) => make(null, name, properties, children);
  const s = (name, properties = {}, ...children) => make("http://www.w3.org/2000/svg", name, properties, children);

  // What stands in backticks is code.
  const prose = (text) => text.split("`").map((part, index) => index % 2 ? h("code", {}, part) : part);
  const plain = (text) => text.replaceAll("`", "");
  // A text with placeholders: its parts, with the arguments in their places. An argument is a text or elements.
  const filled = (text, ...values) => text.split(/%(\d)\$@/).map((part, index) => index % 2 ? values[part - 1] : part);
  const format = (text, ...values) => filled(text, ...values).join("");

  const scrolling = (label, ...children) =>
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
  // A long table, whose headings stay where they are.
  function tall(label, ...children) {
    const region = scrolling(label, ...children);
    region.classList.add("tall");
    return region;
  }
  const mark = (code) => h("span", { class: "mark " + marks[code][1], "aria-hidden": "true" }, marks[code][0]);

  function tokens(text) { return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []; }

  // The longest common subsequence of two lists, as runs [part, from, to] of both (0), the first (-1) or the second (1);
  // what is removed comes before what is added. Lists that have nothing but their ends in common cost nothing.
  function align(a, b, most = 4000000) {
    const runs = [];
    const add = (part, from, to) => {
      if (from === to) return;
      const last = runs[runs.length - 1];
      if (last && last[0] === part) last[2] = to;
      else runs.push([part, from, to]);
    };
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
    let aEnd = a.length;
    let bEnd = b.length;
    while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
      aEnd -= 1;
      bEnd -= 1;
    }
    add(0, 0, start);
    const width = bEnd - start;
    if ((aEnd - start) * width > most) {
      add(-1, start, aEnd);
      add(1, start, bEnd);
    } else {
      const lengths = Array.from({ length: aEnd - start + 1 }, () => new Uint32Array(width + 1));
      for (let i = aEnd - 1; i >= start; i -= 1) {
        for (let j = bEnd - 1; j >= start; j -= 1) {
          lengths[i - start][j - start] = a[i] === b[j] ? lengths[i - start + 1][j - start + 1] + 1
            : Math.max(lengths[i - start + 1][j - start], lengths[i - start][j - start + 1]);
        }
      }
      let i = start;
      let j = start;
      while (i < aEnd || j < bEnd) {
        if (i < aEnd && j < bEnd && a[i] === b[j]) {
          add(0, i, i + 1);
          i += 1;
          j += 1;
        } else if (j >= bEnd || (i < aEnd && lengths[i - start + 1][j - start] >= lengths[i - start][j - start + 1])) {
          add(-1, i, i + 1);
          i += 1;
        } else {
          add(1, j, j + 1);
          j += 1;
        }
      }
    }
    add(0, aEnd, a.length);
    return runs;
  }

  // What each of two short texts has that the other has not: pieces of [text, differs].
  function difference(expected, actual) {
    const a = tokens(expected);
    const b = tokens(actual);
    const result = { expected: [], actual: [] };
    for (const [part, from, to] of align(a, b, 250000)) {
      const text = (part > 0 ? b : a).slice(from, to).join("");
      if (part <= 0) result.expected.push([text, part !== 0]);
      if (part >= 0) result.actual.push([text, part !== 0]);
    }
    return result;
  }

  function diff([expected, actual]) {
    const parts = difference(expected, actual);
    const code = (pieces, tag) => h("code", {}, pieces.map(([text, differs]) => differs ? h(tag, {}, text) : text));
    return h("div", { class: "diff" }, h("span", {}, words.expected), code(parts.expected, "del"),
      h("span", {}, words.actual), code(parts.actual, "ins"));
  }

  function marbles({ input, expected, actual }) {
    const rows = [[input, words.input], [expected, words.expected], [actual, words.actual]].slice(input.length ? 0 : 1);
    const moments = [...new Set(rows.flatMap(([events]) => events.map(([at]) => at)))].sort((a, b) => a - b);
    const at = (row, moment) => row.filter(([time]) => time === moment).map(([, label]) => label);
    const short = (label) => [...label].length > 12 ? [...label].slice(0, 11).join("") + "…" : label;
    const ball = (label) => Math.max(36, 14 + [...short(label)].reduce((sum, character) => sum + (character < "\u2E80" ? 7 : 12), 0));
    const last = Math.max(1, moments[moments.length - 1] ?? 1);
    const start = 110;
    let edge = start;
    const places = new Map();
    for (const moment of moments) {
      const width = Math.max(40, ...rows.map(([events]) => at(events, moment).reduce((sum, label) => sum + ball(label) + 4, 0)));
      const x = Math.max(edge, start + (moment / last) * 460);
      places.set(moment, x);
      edge = x + width + 14;
    }
    const width = Math.max(edge + 20, 620);
    const differing = moments.find((moment) => at(expected, moment).join("\n") !== at(actual, moment).join("\n"));

    function event(label, x, y) {
      const title = s("title", {}, label);
      if (label === "|") return s("g", {}, title, s("line", { class: "end", x1: x, y1: y - 14, x2: x, y2: y + 14 }));
      if (label === "x") {
        return s("g", {}, title, s("line", { class: "end", x1: x - 8, y1: y - 8, x2: x + 8, y2: y + 8 }),
          s("line", { class: "end", x1: x - 8, y1: y + 8, x2: x + 8, y2: y - 8 }));
      }
      const width = ball(label);
      return s("g", {}, title, s("rect", { class: "ball", x: x - width / 2, y: y - 13, width, height: 26, rx: 13 }),
        s("text", { x, y: y + 4, "text-anchor": "middle" }, short(label)));
    }
    function row(events, label, y) {
      return [s("text", { x: 4, y: y + 4 }, label), s("line", { class: "axis", x1: 88, y1: y, x2: width - 8, y2: y }),
        ...moments.flatMap((moment) => {
          let x = places.get(moment);
          return at(events, moment).map((label) => {
            const width = ball(label);
            x += width + 4;
            return event(label, x - 4 - width / 2, y);
          });
        })];
    }
    const bottom = rows.length * 42;
    const children = [...rows.flatMap(([events, label], index) => row(events, label, 24 + index * 42)),
      ...moments.map((moment) => s("text", { class: "quiet", x: places.get(moment) + 18, y: bottom + 14, "text-anchor": "middle" },
        Math.abs(moment) < 10000 ? number.format(moment) + " ms" : number.format(moment / 1000) + " s"))];
    if (differing !== undefined) {
      const x = places.get(differing) - 6;
      children.push(s("line", { class: "differs", x1: x, y1: bottom - 80, x2: x, y2: bottom + 20 }, s("title", {}, words.difference)),
        s("text", { x, y: bottom + 34, "text-anchor": "middle" }, "▲ " + words.difference));
    }
    return scrolling(words.marbles, s("svg", {
      class: "marbles", width, height: bottom + 40, viewBox: "0 0 " + width + " " + (bottom + 40), role: "img", "aria-label": words.marbles,
    }, ...children));
  }

  // Rows of words, with code in the last place.
  function told(rows) {
    const last = (cells, index) => index === cells.length - 1;
    return h("table", { class: "told" }, rows.map((cells) => h("tr", {}, cells.map((text, index) =>
      h("td", {}, last(cells, index) ? h("code", {}, visible(text)) : prose(text))))));
  }

  // An order of steps from top to bottom, in a column for each thread.
  function steps({ caption, heads, rows }) {
    const cell = (row, column) => h("td", {}, row.column === column
      ? [row.mistake && h("span", { class: "mark failed", "aria-hidden": "true" }, marks.F[0]), h("span", { class: "quiet" }, String(row.line)), " ", h("code", {}, visible(row.code))].filter(Boolean)
      : "");
    const gap = h("tr", { class: "quiet" }, heads.map(() => h("td", {}, "…")));
    return h("div", { class: "steps" }, h("div", {}, prose(caption)), scrolling(words.schedule, h("table", {},
      h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map((row) => [row.afterGap ? gap.cloneNode(true) : null,
        h("tr", { class: row.mistake ? "mistake" : null }, heads.map((_, column) => cell(row, column)))])))));
  }

  function testView(result, test, index) {
    const code = result.tests[index];
    const detail = result.details[index] ?? {};
    const heading = [mark(code), prose(test.title), " ",
      h("span", { class: "quiet" }, words.tiers[test.tier] + " · " + words.testOutcomes[marks[code][1]]
        + (test.points ? " · " + number.format(code === "P" ? test.points : 0) + "/" + number.format(test.points) : ""))];
    const content = [
      detail.message ? h("div", { class: "message" }, prose(detail.message)) : null,
      (detail.diffs ?? []).map(diff),
      [detail.race, detail.waits].map((rows) => rows?.length ? told(rows) : null),
      detail.steps ? steps(detail.steps) : null,
      detail.marbles ? marbles(detail.marbles) : null,
      detail.hint ? h("div", { class: "hint" }, filled(words.labelled, h("b", {}, words.hint), prose(detail.hint))) : null,
      detail.comment ? h("div", { class: "message comment" }, prose(detail.comment)) : null,
      detail.output ? [h("div", { class: "quiet" }, words.output), h("pre", {}, detail.output)] : null,
      detail.cut ? h("div", { class: "quiet" }, detail.cut) : null,
    ].flat().filter(Boolean);
    // What has nothing in it does not open.
    if (content.length === 0) return h("div", { class: "test" }, h("div", { class: "heading" }, heading));
    return h("details", { class: "test", open: code !== "P" && code !== "N" }, h("summary", {}, heading), content);
  }

  function kataHead(kata, verdict, path, time) {
    return h("header", {}, h("h3", {}, kata.name), h("b", {}, words.outcomes[verdict.outcome]),
      h("span", {}, number.format(verdict.points) + "/" + number.format(kata.maxPoints)),
      time === undefined ? null : h("span", { class: "quiet" }, seconds.format(time)),
      path ? h("span", { class: "quiet" }, path) : null);
  }

  // Characters that show nothing, or turn a line around, would make a text look like another one: they are named.
  const unseen = /([\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF])/;
  const nameOf = (character) => "U+" + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const visible = (text) => text.split(unseen).map((part, index) =>
    index % 2 ? h("span", { class: "control" }, nameOf(part)) : part);

  // A name reads in its own direction, whatever stands around it.
  const name = (text) => h("bdi", {}, visible(text));
  // What a compiler or the grader said about a file: code in it is told apart.
  const said = (texts) => h("pre", { class: "diagnostics" }, texts.join("\n").split("`").map((part, index) =>
    index % 2 ? h("code", {}, visible(part)) : visible(part)));

  // The lines of a code, as the compiler counts them or as a pattern ends them, and what is colored in each: [from, to, kind].
  function source(text, colors = [], breaks = /\r?\n/g) {
    const lines = [];
    let start = 0;
    for (const { index, 0: end } of text.matchAll(breaks)) {
      lines.push({ start, text: text.slice(start, index), colors: [] });
      start = index + end.length;
    }
    if (start < text.length) lines.push({ start, text: text.slice(start), colors: [] });
    let at = 0;
    let place = 0;
    for (let index = 0; index + 1 < colors.length; index += 2) {
      const from = at + colors[index];
      const kind = colors[index + 1] % 8;
      at = from + (colors[index + 1] - kind) / 8;
      while (lines[place + 1] && lines[place + 1].start <= from) place += 1;
      // A comment or a text can have several lines.
      for (let row = place; lines[row] && lines[row].start < at; row += 1) {
        lines[row].colors.push([Math.max(from - lines[row].start, 0), at - lines[row].start, kind]);
      }
    }
    return lines;
  }

  // A text that begins at a place of its line, in the colors of the line.
  function painted(text, start, colors) {
    const parts = [];
    let at = 0;
    for (const [from, to, kind] of colors) {
      const [first, last] = [Math.max(from - start, at), Math.min(to - start, text.length)];
      if (first >= last) continue;
      parts.push(visible(text.slice(at, first)), h("span", { class: "code" + kind }, visible(text.slice(first, last))));
      at = last;
    }
    return [...parts, visible(text.slice(at))];
  }

  // A line of code with its number, and with a sign where there is something to say about it.
  function line(place, sign, pieces, colors = []) {
    const kind = { "+": " added", "−": " removed" }[sign] ?? "";
    const tag = { "+": "ins", "−": "del" }[sign];
    let start = 0;
    const code = pieces.map(([text, differs]) => {
      const parts = painted(text, start, colors);
      start += text.length;
      return differs ? h("b", {}, parts) : parts;
    });
    return h("div", { class: "line" + kind }, h("span", {}, String(place)), h("span", {}, sign),
      h("code", {}, tag ? h(tag, {}, code) : code));
  }

  // About how wide a text is: letters of wide scripts take twice the room.
  const width = (text) => [...text].reduce((sum, letter) => sum + (letter < "\u2E80" ? 7 : 13), 0);

  // A name where there is room for a few letters only.
  function short(text, most) {
    const letters = [...text.split(unseen).map((part, index) => index % 2 ? nameOf(part) : part).join("")];
    return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : letters.join("");
  }

  // A time of a session: 4:05, 1:04:05.
  function clock(time) {
    const whole = Math.max(0, Math.floor(time + 0.0005));
    const two = (value) => String(value).padStart(2, "0");
    const minutes = Math.floor(whole / 60) % 60;
    const hours = Math.floor(whole / 3600);
    return (hours ? hours + ":" + two(minutes) : String(minutes)) + ":" + two(whole % 60);
  }

  // A line of time that begins at zero: where a moment is, and the marks below.
  function timeAxis(left, right, end) {
    const last = Math.max(end, 1);
    const x = (at) => left + (Math.min(Math.max(at, 0), last) / last) * (right - left);
    const step = [5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600].find((seconds) => last / seconds <= 10) ?? 7200;
    const draw = (top, bottom) => {
      const lines = [s("line", { class: "axis", x1: left, y1: bottom, x2: right, y2: bottom })];
      for (let at = 0; at <= last; at += step) {
        lines.push(s("line", { class: "grid", x1: x(at), y1: top, x2: x(at), y2: bottom + 4 }),
          s("text", { class: "quiet", x: x(at), y: bottom + 17, "text-anchor": "middle" }, clock(at)));
      }
      return lines;
    };
    return { x, draw, last };
  }

  // How many tests pass, as steps: points are [seconds, tests].
  function stepCurve(points, axis, y, properties) {
    let path = "";
    for (const [at, count] of points) {
      path += path ? "H" + axis.x(at).toFixed(1) + "V" + y(count).toFixed(1) : "M" + axis.x(at).toFixed(1) + " " + y(count).toFixed(1);
    }
    return s("path", { fill: "none", ...properties, d: path });
  }

  // Of many things next to each other only one is a stop of the tab key; the arrow keys go on from there.
  function roving(container, items) {
    items.forEach((item, index) => item.setAttribute("tabindex", index ? "-1" : "0"));
    container.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const place = items.indexOf(document.activeElement);
      if (!step || place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = items[(place + step + items.length) % items.length];
      items[place].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      event.preventDefault();
    });
  }

  // A share as one of six shades, for a cell that has its number in it.
  const shade = (share) => "number shade" + Math.min(5, Math.floor(share * 6));

  return {
    data, words, marks, number, seconds, h, s, source, roving, shade, scrolling, tall, mark, prose, plain, filled, format, align, tokens, testView, kataHead, line, visible, said, short, width, clock, timeAxis, stepCurve, name,
  };
})();
