"use strict";
// The session browser. Everything that was said reaches the page through textContent only.
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = new Map(data.sessions.map(function (s) { return [s.id, s]; }));
  const groups = new Map(data.groups.map(function (g) { return [g.group, g]; }));
  const form = document.getElementById("filters");
  const list = document.getElementById("list");
  const detail = document.getElementById("detail");
  const origin = document.getElementById("origin");
  const view = { group: "", who: "", ending: "", metric: "", order: "run", session: "", turn: "" };

  function make(tag, options, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(options || {})) {
      if (key === "text") { node.textContent = value; }
      else if (key === "onclick") { node.addEventListener("click", value); }
      else { node.setAttribute(key, value); }
    }
    node.append(...children.filter(Boolean));
    return node;
  }

  function svg(tag, options) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(options)) { node.setAttribute(key, value); }
    return node;
  }

  function dot(group) {
    return make("span", { class: "dot", style: "background:var(--g" + ((groups.get(group) || { index: 7 }).index % 8) + ")" });
  }

  function label(group) { return (groups.get(group) || { label: group }).label; }
  function plural(n, one) { return n.toLocaleString("en") + " " + one + (n === 1 ? "" : "s"); }
  function words(code) { return String(code).replace(/_/g, " "); }
  function ending(name) { return data.endings[name] || words(name); }

  function number(value) {
    const size = Math.abs(value);
    const places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3;
    return value.toFixed(places).replace("-", "−");
  }

  function address(change) {
    const next = new URLSearchParams();
    const wanted = Object.assign({}, view, { turn: "" }, change);
    for (const [key, value] of Object.entries(wanted)) {
      if (value && !(key === "order" && value === "run")) { next.set(key, value); }
    }
    return "#" + next.toString();
  }

  function go(change) {
    Object.assign(view, { turn: "" }, change);
    try { history.replaceState(null, "", address({})); } catch { /* some viewers forbid it; the page still works */ }
    render();
  }

  // --- what stands behind a cell of the ladder ----------------------------------------------

  const RUNG = { show: "show: after its own opening", resume: "resume: after a replayed history", sustain: "sustain: in its own session" };

  function reply(rung) {
    const worth = rung.value === null ? "no value" : number(rung.value);
    return make("div", { class: "reply" },
      make("p", { class: "small" }, make("b", { text: RUNG[rung.rung] }), make("span", { text: " · " + worth + (rung.read ? " · read as " + rung.read : "") + (rung.why ? " · " + rung.why : "") })),
      rung.said ? make("p", { class: "said" }, make("span", { class: "small", text: "Patient " }), make("span", { text: rung.said })) : null,
      make("p", { class: "said" }, make("span", { class: "small", text: "Therapist " }), make("span", { text: rung.reply || "(the moment never came, or nobody replied)" })));
  }

  function moments(cell) {
    const found = data.ladder[cell];
    const panel = document.getElementById("moments");
    const [therapist, skill] = cell.split("\n");
    panel.replaceChildren(
      make("h3", { text: words(skill) + ", " + label(therapist) }),
      make("p", { class: "small", text: found.moments.length < found.n ? "The first " + found.moments.length + " of " + plural(found.n, "moment") + ", those first where most was lost; all are in moments.parquet." : "All " + plural(found.n, "moment") + "." }),
      ...found.moments.map(function (m) {
        return make("article", { class: "moment" }, make("h4", { text: words(m.moment) + " · " + m.who }), ...m.rungs.map(reply));
      }),
      make("button", { type: "button", text: "Close", onclick: function () { panel.hidden = true; } }));
    panel.hidden = false;
    panel.focus();
    panel.scrollIntoView({ block: "nearest" });
  }

  for (const node of document.querySelectorAll("[data-ladder]")) {
    const cell = node.getAttribute("data-ladder");
    if (!data.ladder || !data.ladder[cell]) { continue; }
    node.classList.add("opens");
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("click", function () { moments(cell); });
    node.addEventListener("keydown", function (event) {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); moments(cell); }
    });
  }

  // --- which turns a number came from ------------------------------------------------------

  function read(turn, item) { return turn.r.find(function (r) { return data.items[r[0]] === item && r[2] !== null; }); }

  // Exchanges as the measure sees them: neighbouring turns of one speaker are one, an unanswered one is dropped.
  function exchanges(session) {
    const blocks = [];
    session.turns.forEach(function (turn, at) {
      const last = blocks[blocks.length - 1];
      if (last && last.s === turn.s) { last.at.push(at); } else { blocks.push({ s: turn.s, at: [at] }); }
    });
    const found = [];
    blocks.forEach(function (block, i) {
      if (block.s !== "t" || !blocks[i + 1]) { return; }
      const turns = function (of) { return of.at.map(function (at) { return session.turns[at]; }); };
      const moves = turns(block).filter(function (t) { return read(t, "therapist_behaviour"); });
      // An apology is input to a coder of behaviour; where it was read as stepping back, it is no challenge.
      const presses = moves.some(function (t) {
        const reply = read(t, "yield_reply");
        return read(t, "therapist_behaviour")[1] === "therapist_input" && !(reply && reply[1] === "steps_back");
      });
      const act = moves.length ? (presses ? "challenge" : "support") : "silence";
      const pushed = function (t) {
        if (session.played) { return Boolean(t.m && t.m[1] === "truth" && t.m[0] === "invalidation"); }
        const talk = read(t, "client_talk");
        return Boolean(talk && talk[1] === "sustain");
      };
      const answer = blocks[i + 1].at.filter(function (at) { return pushed(session.turns[at]); });
      found.push({ at: block.at, act: act, pushback: answer });
    });
    return found;
  }

  function exchangeMarks(session, rule) {
    const out = session.turns.map(function () { return ""; });
    const all = exchanges(session);
    all.forEach(function (exchange, i) {
      const before = all[i - 1];
      if (!before || !before.pushback.length) { return; }
      for (const at of before.pushback) { out[at] = "cue"; }
      for (const at of exchange.at) { out[at] = exchange.act === rule.act ? "hit" : "base"; }
    });
    return out;
  }

  function mark(rule, turn, at, turns) {
    if (rule.kind === "labels") {
      const found = read(turn, rule.item);
      if (!found) { return ""; }
      if (rule.hit.includes(found[1])) { return "hit"; }
      return !rule.base || rule.base.includes(found[1]) ? "base" : "";
    }
    if (rule.kind === "read") { return rule.items.some(function (item) { return read(turn, item); }) ? "hit" : ""; }
    if (rule.kind === "truth") {
      return turn.v && turn.v.some(function (pair) { return rule.keys.includes(data.state_keys[pair[0]]); }) ? "hit" : "";
    }
    if (rule.kind === "speaker") { return turn.s === rule.speaker ? "hit" : rule.base_words ? "base" : ""; }
    if (rule.kind === "last") { return at === turns.length - 1 ? "hit" : ""; }
    return "hit";
  }

  function marks(session, metric) {
    const rule = metric && data.metrics[metric].evidence;
    const cell = metric && session.scores[metric];
    if (!rule || !cell || (cell[0] === null && cell[1] === 0)) { return session.turns.map(function () { return ""; }); }
    if (rule.kind === "exchange") { return exchangeMarks(session, rule); }
    return session.turns.map(function (turn, at) { return mark(rule, turn, at, session.turns); });
  }

  // --- the list ----------------------------------------------------------------------------

  function chosen() {
    const rows = data.sessions.filter(function (s) {
      return (!view.group || s.group === view.group) && (!view.who || s.who === view.who) && (!view.ending || s.ending === view.ending);
    });
    if (view.metric && view.order !== "run") {
      const sign = view.order === "up" ? 1 : -1;
      const value = function (s) { const c = s.scores[view.metric]; return c && c[0] !== null ? c[0] : null; };
      rows.sort(function (a, b) {
        const x = value(a), y = value(b);
        if (x === null || y === null) { return (x === null) - (y === null); }
        return sign * (x - y);
      });
    }
    return rows;
  }

  function scoreOf(session) {
    const cell = view.metric && session.scores[view.metric];
    if (!cell) { return null; }
    return cell[0] === null
      ? make("span", { class: "score none", text: words(cell[2]), title: data.details[cell[3]] })
      : make("span", { class: "score", text: number(cell[0]) });
  }

  function pick(session) {
    const more = [label(session.group), ending(session.ending), plural(session.turns.length, "turn")];
    if (session.session > 1) { more.splice(1, 0, "session " + session.session); }
    if (session.epoch !== null) { more.splice(1, 0, "epoch " + session.epoch); }
    const cell = view.metric && session.scores[view.metric];
    if (cell && cell[0] !== null) { more.push("n " + cell[1]); }
    return make("li", {}, make("button", {
      type: "button", class: "pick", "aria-current": String(session.id === view.session),
      onclick: function () { go({ session: session.id }); reveal(detail); },
    }, dot(session.group), make("span", { class: "who", text: session.who }), scoreOf(session), make("span", { class: "small", text: more.join(" · ") })));
  }

  function renderOrigin(rows) {
    origin.replaceChildren();
    if (!view.metric) { return; }
    const metric = data.metrics[view.metric];
    const cell = data.cells[view.metric + "\n" + view.group];
    const parts = ["Here: " + plural(rows.length, "session") + ", each with its own " + metric.title.toLowerCase() + " or the reason why it has none."];
    if (cell) {
      parts.unshift("The number rests on " + cell[0] + " of " + cell[1] + " sessions.");
      if (cell[2]) { parts.push("In the mean, " + plural(cell[2], "session") + " that the patient left " + (cell[2] === 1 ? "counts" : "count") + " the turns never reached as not met; the values listed here are as observed."); }
    }
    origin.append(
      make("p", {}, make("b", { text: metric.title + (view.group ? " · " + label(view.group) : "") })),
      make("p", { text: parts.join(" ") }),
    );
  }

  function fill(select, first, options) {
    const known = options.some(function (o) { return o[0] === view[select.name]; });
    if (!known) { view[select.name] = ""; }
    select.replaceChildren(make("option", { value: "", text: first }), ...options.map(function (o) {
      return make("option", { value: o[0], text: o[1] });
    }));
    select.value = view[select.name];
  }

  function each(key) { return [...new Set(data.sessions.map(function (s) { return s[key]; }))]; }

  function renderFilters() {
    fill(form.elements.group, "all", data.groups.map(function (g) { return [g.group, g.label]; }));
    fill(form.elements.who, "all", each("who").map(function (w) { return [w, w]; }));
    fill(form.elements.ending, "all", each("ending").map(function (e) { return [e, ending(e)]; }));
    fill(form.elements.metric, "none", Object.keys(data.metrics).map(function (m) { return [m, data.metrics[m].title]; }));
    form.elements.order.value = view.order;
  }

  // --- one session -------------------------------------------------------------------------

  function tagOf(entry) {
    if (entry[2] === null) { return make("span", { class: "tag unread", text: words(data.items[entry[0]]) + ": " + words(entry[1]) }); }
    return make("span", { class: "tag", title: words(data.items[entry[0]]) + ", as read by the coder", text: words(entry[1]) + " " + entry[2].toFixed(2) });
  }

  function momentOf(m) {
    const how = m[1] === "truth" ? (m[2] ? "scheduled" : "emergent") : "read";
    return make("span", { class: "tag moment" + (m[1] === "truth" ? " truth" : ""), text: "moment: " + words(m[0]) + " (" + how + ")", title: m[1] === "truth" ? "known by construction of the simulator" : "read from the text" });
  }

  function valuesOf(turn) {
    const rule = view.metric && data.metrics[view.metric].evidence;
    const line = make("p", { class: "values" });
    turn.v.forEach(function (pair, i) {
      const name = data.state_keys[pair[0]];
      const strong = rule && rule.kind === "truth" && rule.keys.includes(name);
      if (i) { line.append(" · "); }
      line.append(make(strong ? "b" : "span", { text: words(name) + " " + (Number.isInteger(pair[1]) ? pair[1] : pair[1].toFixed(2)) }));
    });
    return line;
  }

  function turnOf(session, turn, mark) {
    const side = turn.s === "t" ? "therapist" : "patient";
    const top = make("div", { class: "top" },
      make("a", { href: address({ session: session.id, turn: String(turn.i) }), text: turn.i + " " + side, title: "Link to this turn" }),
      ...turn.r.map(tagOf), turn.m ? momentOf(turn.m) : null,
      turn.a ? make("span", { class: "tag truth", text: "meant: " + words(turn.a), title: "the move the simulated therapist says it chose" }) : null);
    const silent = turn.x !== null && !turn.x.trim();
    const said = turn.x === null ? plural(turn.w, "word") + ", not kept (--no-text)" : silent ? "(silence)" : turn.x;
    return make("li", { class: ["turn", side, mark, String(turn.i) === view.turn ? "here" : ""].join(" ").trim(), id: "turn-" + turn.i },
      top, make("p", { class: "said" + (turn.x === null || silent ? " absent" : ""), dir: "auto", text: said }),
      turn.v ? valuesOf(turn) : null);
  }

  function sparkOf(session) {
    const shown = ["trust", "distress", "openness"].map(function (name) { return data.state_keys.indexOf(name); });
    const last = session.turns.length - 1;
    const box = svg("svg", { class: "spark", viewBox: "0 0 600 84", preserveAspectRatio: "none", role: "img", "aria-label": "Simulated state over the turns, from 0 (bottom) to 1 (top)" });
    const keys = make("div", { class: "sparkkeys small" });
    for (const y of [2, 42, 82]) { box.append(svg("line", { x1: 0, x2: 600, y1: y, y2: y, stroke: "var(--grid)", "vector-effect": "non-scaling-stroke" })); }
    shown.forEach(function (key, i) {
      const points = session.turns.filter(function (t) { return t.v; }).map(function (t) {
        const found = t.v.find(function (pair) { return pair[0] === key; });
        return found && found[1] >= 0 && found[1] <= 1 ? (600 * t.i / Math.max(1, last)).toFixed(1) + "," + (82 - 80 * found[1]).toFixed(1) : null;
      }).filter(Boolean);
      if (key < 0 || points.length < 2) { return; }
      const look = { fill: "none", stroke: i ? "var(--soft)" : "var(--ink)", "stroke-width": 1.8, "stroke-dasharray": ["none", "7 4", "2 3"][i], "vector-effect": "non-scaling-stroke" };
      box.append(svg("polyline", Object.assign({ points: points.join(" ") }, look)));
      const sample = svg("svg", { width: 30, height: 8, "aria-hidden": "true" });
      sample.append(svg("polyline", Object.assign({ points: "0,4 30,4" }, look)));
      keys.append(make("span", {}, sample, " " + words(data.state_keys[key])));
    });
    if (!keys.childNodes.length) { return []; }
    keys.append(make("span", { text: "simulated, 0 at the bottom, 1 at the top, turn by turn" }));
    return [box, keys];
  }

  function proofOf(session, marked) {
    if (!view.metric) { return null; }
    const metric = data.metrics[view.metric];
    const cell = session.scores[view.metric];
    const value = !cell ? "not measured" : cell[0] === null ? "unscored (" + words(cell[2]) + "): " + data.details[cell[3]] : number(cell[0]) + ", n " + cell[1];
    const box = make("div", { class: "proof" }, make("p", {}, make("b", { text: metric.title + " in this session: " }), value));
    for (const [kind, said] of [["hit", metric.evidence.words], ["base", metric.evidence.base_words], ["cue", metric.evidence.cue_words]]) {
      const n = marked.filter(function (m) { return m === kind; }).length;
      if (n) { box.append(make("div", { class: "small" }, make("span", { class: "swatch " + kind }), n + " × " + said)); }
    }
    if (!marked.some(Boolean)) { box.append(make("div", { class: "small", text: "No turn of this session entered the number." })); }
    return box;
  }

  function allScores(session) {
    const rows = Object.keys(data.metrics).filter(function (m) { return session.scores[m]; }).map(function (m) {
      const cell = session.scores[m];
      return make("tr", {},
        make("td", {}, make("a", { href: address({ session: session.id, metric: m }), text: data.metrics[m].title })),
        make("td", { class: "num", text: cell[0] === null ? "–" : number(cell[0]) }), make("td", { class: "num", text: "n " + cell[1] }),
        make("td", { text: cell[0] === null ? words(cell[2]) + ": " + data.details[cell[3]] : data.metrics[m].unit }));
    });
    return make("details", {}, make("summary", { text: "All measures of this session" }),
      make("div", { class: "scroll" }, make("table", { class: "plain scores" }, make("tbody", {}, ...rows))));
  }

  function steps(rows, marked) {
    const at = rows.findIndex(function (s) { return s.id === view.session; });
    const button = function (text, step) {
      const other = rows[at + step];
      const node = make("button", { type: "button", text: text, onclick: function () { go({ session: other.id }); } });
      node.disabled = at < 0 || !other;
      return node;
    };
    const hit = marked.indexOf("hit");
    const jump = make("button", { type: "button", text: "First marked turn", onclick: function () {
      reveal(document.querySelector(".turn.hit"));
    } });
    jump.disabled = hit < 0;
    return make("div", { class: "steps" }, button("Previous session", -1), button("Next session", 1), view.metric ? jump : null);
  }

  function renderDetail(rows) {
    const session = byId.get(view.session);
    detail.replaceChildren();
    if (!session) {
      detail.append(make("p", { class: "small", text: view.session ? "This session is not in the page; it is in turns.parquet." : "Choose a session to read it." }));
      return;
    }
    const marked = marks(session, view.metric);
    const facts = [ending(session.ending), plural(session.turns.length, "turn")];
    if (session.epoch !== null) { facts.push("epoch " + session.epoch, "seed " + session.seed); }
    if (session.session > 1) { facts.push("session " + session.session + " of the course"); }
    detail.append(
      make("h3", {}, dot(session.group), label(session.group) + " · " + session.who),
      make("p", { class: "small" }, facts.join(" · ") + " · ", make("code", { text: session.id })),
      session.error ? make("p", { class: "fault", text: session.error }) : "",
      steps(rows, marked), proofOf(session, marked) || "", ...sparkOf(session),
      make("ol", { class: "turns" }, ...session.turns.map(function (turn, at) { return turnOf(session, turn, marked[at]); }),
        make("li", { class: "ended", text: "Ended: " + ending(session.ending) })),
      allScores(session),
    );
  }

  function render() {
    renderFilters();
    const rows = chosen();
    list.replaceChildren(...rows.map(pick));
    document.getElementById("found").textContent = rows.length + " of " + plural(data.sessions.length, "session");
    renderOrigin(rows);
    renderDetail(rows);
    const current = list.querySelector("[aria-current=true]");
    if (current) { list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 3; }
    return rows;
  }

  function reveal(node) {
    const settled = document.readyState === "complete";
    if (node) { node.scrollIntoView({ block: "start", behavior: settled ? "auto" : "instant" }); }
  }

  function follow() {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) {
      const target = hash && document.getElementById(hash);
      if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
      return;
    }
    for (const pop of document.querySelectorAll(".pop:popover-open")) { pop.hidePopover(); }
    const asked = new URLSearchParams(hash);
    for (const key of Object.keys(view)) { view[key] = asked.get(key) || ""; }
    view.order = view.order || (view.metric ? "down" : "run");
    if (!data.metrics[view.metric]) { view.metric = ""; }
    if (!data.sessions.some(function (s) { return groups.has(s.group); })) { view.group = ""; }
    const rows = chosen();
    if (!view.session && rows.length) { view.session = rows[0].id; }
    render();
    const turn = view.turn && document.getElementById("turn-" + view.turn);
    reveal(turn || document.getElementById(asked.get("session") ? "detail" : "browser"));
  }

  form.addEventListener("change", function (event) {
    const change = { [event.target.name]: event.target.value };
    if (event.target.name === "metric" && view.order === "run" && event.target.value) { change.order = "down"; }
    Object.assign(view, change);
    const rows = chosen();
    go(rows.some(function (s) { return s.id === view.session; }) ? {} : { session: rows.length ? rows[0].id : "" });
  });
  form.addEventListener("submit", function (event) { event.preventDefault(); });

  // A popover opens where its button is, and inside the window.
  for (const pop of document.querySelectorAll(".pop")) {
    const button = document.querySelector('[popovertarget="' + CSS.escape(pop.id) + '"]');
    pop.addEventListener("toggle", function (event) {
      if (event.newState !== "open") { return; }
      const at = button.getBoundingClientRect();
      const width = pop.offsetWidth, height = pop.offsetHeight;
      pop.style.left = Math.max(12, Math.min(at.right - width, innerWidth - width - 12)) + "px";
      pop.style.top = Math.max(12, Math.min(at.bottom + 6, innerHeight - height - 12)) + "px";
    });
    for (const link of pop.querySelectorAll("a")) { link.addEventListener("click", function () { pop.hidePopover(); }); }
  }

  // A link to the address that is already there fires no event, but the reader may have moved on.
  document.addEventListener("click", function (event) {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && link.getAttribute("href") === location.hash) { follow(); }
  });

  document.getElementById("browser").hidden = false;
  window.addEventListener("hashchange", follow);
  render();
  follow();
  window.addEventListener("load", function () { if (location.hash) { follow(); } });
})();
