// Draws what it is sent and tells what was pointed at. Knows shapes, focus and keys, and no rule of any game.
const NS = "http://www.w3.org/2000/svg";

const make = (tag, attributes = {}) => {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

const HELP = [
  ["arrows", "go from part to part"],
  ["n, p", "next, previous part that can be chosen"],
  ["Enter", "choose"],
  ["Escape", "let go of what is chosen"],
  ["u, r", "undo, redo"],
  ["h", "hint"],
  ["s", "stop the bots"],
  ["?", "show or hide this help"],
];

// How far a part lies in the direction of an arrow: what is straight ahead counts as near, what lies aside as far.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const middle = ([x, y, w, h]) => [x + w / 2, y + h / 2];
function nearest(from, spots, [right, down]) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const [name, spot] of spots) {
    const [u, v] = middle(spot);
    const ahead = (u - x) * right + (v - y) * down, aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
    const far = ahead + 2.5 * aside;
    if (ahead > 1 && far < least) [best, least] = [name, far];
  }
  return best;
}

function wipe(node) {
  node.removeAttribute("class");
  node.replaceChildren();
}

function render({ model, el }) {
  el.classList.add("tkg-root");
  const frame = document.createElement("div");
  frame.className = "tkg-board";
  const foot = document.createElement("div");
  foot.className = "tkg-foot";
  const live = document.createElement("div");
  live.className = "tkg-aloud";
  live.setAttribute("aria-live", "polite");
  // No definition list, though it is one: notebooks lay out all those that cells put out in a way of their own.
  const help = document.createElement("div");
  help.className = "tkg-help";
  help.hidden = true;
  for (const [key, words] of HELP) {
    const term = document.createElement("b"), text = document.createElement("span");
    term.textContent = key;
    text.textContent = words;
    help.append(term, text);
  }
  const svg = make("svg", { class: "t", role: "application", preserveAspectRatio: "xMidYMin meet" });
  const ground = make("g"), marks = make("g", { class: "tkg-marks" }), hits = make("g"), top = make("g");
  svg.append(ground, marks, hits, top);
  frame.append(svg, foot, help, live);
  el.replaceChildren(frame);
  // The static picture is drawn anew with every move, so a rule hides it and not its element's own attribute.
  const rule = document.createElement("style");
  rule.textContent = `[data-tkg-still="${model.get("still")}"]{display:none}`;
  frame.append(rule);

  let state = {}, current = null, told = "", aimed = null;
  const parts = new Map(); // name -> {node, svg, spot, text}
  const spots = new Map(); // name -> spot, of what can be pointed at
  const chips = new Map();
  const focused = () => frame.contains(document.activeElement) && document.activeElement.dataset.name;

  const nodeOf = (name) => parts.get(name)?.hit ?? chips.get(name);
  function moveTo(name, focus) {
    if (name !== current) nodeOf(current)?.setAttribute("tabindex", "-1");
    current = name;
    const node = nodeOf(name);
    node?.setAttribute("tabindex", "0");
    if (focus) node?.focus({ preventScroll: true });
  }

  function aim(name) {
    aimed = name;
    const [words, outline] = state.previews?.[name] ?? ["", []];
    foot.textContent = words ? `${state.labels[name] ?? chips.get(name)?.textContent ?? ""}: ${words}` : told;
    for (const old of marks.querySelectorAll(".tkg-outline")) old.remove();
    for (const there of outline) {
      const part = parts.get(there);
      if (part?.spot) marks.append(rectangle(part.spot, "tkg-outline", 1));
    }
  }

  const rectangle = ([x, y, width, height], kind, inset) =>
    make("rect", { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: 6, class: kind });

  function hit(name) {
    const node = make("g", {
      class: "tkg-hit", "data-name": name, role: "button", tabindex: "-1", "data-lm-suppress-shortcuts": "true",
    });
    node.append(make("rect", { class: "tkg-area", rx: 6 }), make("g"));
    return node;
  }

  // What lies over a part: its dot or dashes if it can be chosen, its frame if it is chosen, its question mark as a hint.
  function markUp(node, spot, flags) {
    const [x, y, width, height] = spot, marks = node.lastChild, area = node.firstChild;
    for (const [name, value] of Object.entries({ x, y, width, height })) area.setAttribute(name, value);
    marks.replaceChildren();
    if (flags.includes("l")) marks.append(rectangle(spot, "tkg-legal", 2));
    if (flags.includes("s")) marks.append(rectangle(spot, "tkg-chosen", 1));
    const rank = flags.match(/[1-9]/)?.[0];
    if (rank) {
      marks.append(rectangle(spot, "tkg-hint", 0));
      const words = make("text", { x: x + width - 4, y: y + 13, class: "tkg-rank" });
      words.textContent = `${rank}?`;
      marks.append(words);
    }
    node.setAttribute("aria-disabled", String(!flags.includes("l")));
    node.setAttribute("class", "tkg-hit" + (flags.includes("l") ? " legal" : "") + (flags.includes("s") ? " chosen" : ""));
  }

  const STATES = { l: "can be chosen", s: "chosen" };
  const spoken = (name, flags) =>
    [state.labels[name], ...Object.keys(STATES).filter((f) => flags.includes(f)).map((f) => STATES[f]),
      ...(/[1-9]/.test(flags) ? [`hint ${flags.match(/[1-9]/)[0]}`] : [])].join(", ");

  function drawChips() {
    const wanted = new Set(state.chips.map(([name]) => name));
    for (const [name, node] of chips) if (!wanted.has(name)) { node.remove(); chips.delete(name); spots.delete(name); }
    const stacked = new Map();
    for (const [, , at] of state.chips) stacked.set(at, (stacked.get(at) ?? 0) + 1);
    const seen = new Map();
    for (const [name, words, at] of state.chips) {
      const [x, y, width, height] = parts.get(at)?.spot ?? [0, 0, state.width, state.height];
      const wide = Math.max(86, 22 + 7.6 * words.length), number = seen.get(at) ?? 0, high = 30;
      seen.set(at, number + 1);
      const left = Math.min(Math.max(4, x + (width - wide) / 2), state.width - wide - 4);
      const upper = y + height / 2 - ((high + 6) * stacked.get(at)) / 2 + number * (high + 6);
      let node = chips.get(name);
      if (!node) {
        node = make("g", {
          class: "tkg-chip", "data-name": name, role: "button", tabindex: "-1", "data-lm-suppress-shortcuts": "true",
        });
        node.append(make("rect", { rx: 15, height: high }), make("text"));
        chips.set(name, node);
        top.append(node);
      }
      node.firstChild.setAttribute("width", wide);
      node.lastChild.setAttribute("x", wide / 2);
      node.lastChild.setAttribute("y", 20);
      if (node.lastChild.textContent !== words) node.lastChild.textContent = words;
      node.setAttribute("transform", `translate(${left} ${upper})`);
      node.setAttribute("aria-label", words);
      spots.set(name, [left, upper, wide, high]);
    }
  }

  function update() {
    const began = performance.now(), had = focused(), before = current;
    state = JSON.parse(model.get("scene"));
    svg.setAttribute("viewBox", `0 0 ${state.width} ${state.height}`);
    svg.setAttribute("width", state.width);
    svg.setAttribute("height", state.height);
    svg.setAttribute("aria-label", state.title);
    const names = new Set();
    let last = null;
    for (const [name, markup, spot] of state.parts) {
      names.add(name);
      let part = parts.get(name);
      if (!part) {
        part = { node: make("g"), svg: null, hit: null };
        part.node.dataset.part = name;
        parts.set(name, part);
      }
      if (part.svg !== markup) {
        part.node.innerHTML = markup;
        part.svg = markup;
      }
      part.spot = spot;
      if (part.node.previousSibling !== last || part.node.parentNode !== ground)
        last ? last.after(part.node) : ground.prepend(part.node);
      last = part.node;
      const flags = state.marks[name] ?? "";
      if (spot && state.labels[name] != null) {
        part.hit ??= hit(name);
        if (!part.hit.parentNode) hits.append(part.hit);
        const sign = `${spot}|${flags}`;
        if (part.sign !== sign) markUp(part.hit, spot, flags);
        part.sign = sign;
        const words = spoken(name, flags);
        if (part.words !== words) part.hit.setAttribute("aria-label", words);
        part.words = words;
        spots.set(name, spot);
      } else {
        part.hit?.remove();
        spots.delete(name);
      }
    }
    for (const [name, part] of parts)
      if (!names.has(name)) {
        part.node.remove();
        part.hit?.remove();
        parts.delete(name);
        spots.delete(name);
      }
    drawChips();
    if (!spots.has(current)) current = null;
    const first = [...spots.keys()].find((name) => state.marks[name]?.includes("l")) ?? state.chips[0]?.[0];
    const keep = current ?? first ?? spots.keys().next().value;
    if (keep) moveTo(state.chips.length && !chips.has(keep) && state.front ? state.chips[0][0] : keep, had && keep !== before);
    if (had && nodeOf(current) && document.activeElement !== nodeOf(current)) nodeOf(current).focus({ preventScroll: true });
    told = state.say;
    aim(had ? current : aimed);
    if (live.textContent !== state.aloud) live.textContent = state.aloud;
    frame.classList.toggle("busy", state.busy);
    frame.dataset.seq = state.seq;
    frame.dataset.move = state.move;
    frame.dataset.ms = (performance.now() - began).toFixed(2);
  }

  const send = (type, name = null) => model.send({ type, name, seq: state.seq });
  const point = (node) => send("pick", node.dataset.name);
  const targetOf = (event) => event.target.closest?.(".tkg-hit, .tkg-chip");
  svg.addEventListener("click", (event) => {
    const node = targetOf(event);
    if (!node) return;
    moveTo(node.dataset.name, true);
    point(node);
  });
  svg.addEventListener("pointerover", (event) => aim(targetOf(event)?.dataset.name ?? null));
  svg.addEventListener("pointerleave", () => aim(focused() || null));
  // On the frame, since Chromium makes an SVG element that listens for the focus a tab stop of its own.
  frame.addEventListener("focusin", (event) => {
    const name = targetOf(event)?.dataset.name ?? null;
    if (name) moveTo(name); // a screen reader sets the focus without a key or a click
    aim(name);
  });
  const KEYS = { Escape: "cancel", u: "undo", r: "redo", h: "hint", s: "stop" };
  svg.addEventListener("keydown", (event) => {
    const node = targetOf(event);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (ARROWS[key]) {
      const name = nearest(spots.get(node.dataset.name), spots, ARROWS[key]);
      if (name) moveTo(name, true);
    } else if (key === "n" || key === "p") {
      const open = [...state.chips.map(([name]) => name), ...[...spots.keys()].filter((name) => state.marks[name]?.includes("l"))];
      if (open.length) {
        const i = open.indexOf(node.dataset.name), step = key === "n" ? 1 : -1;
        moveTo(open[i < 0 ? (step > 0 ? 0 : open.length - 1) : (i + step + open.length) % open.length], true);
      }
    } else if (key === "Enter" || key === " ") point(node);
    else if (key === "?") help.hidden = !help.hidden;
    else if (KEYS[key]) send(KEYS[key]);
    else if (key !== "Tab" && key !== "Shift") return;
    if (key !== "Tab" && key !== "Shift") event.preventDefault();
    event.stopPropagation();
  });
  // A view is made before it has its place in the page: it comes into sight once it has a size, and no second view does.
  const placed = new ResizeObserver(() => {
    if (!frame.offsetHeight) return;
    placed.disconnect();
    frame.scrollIntoView({ block: "nearest" });
  });
  if (model.get("come")) {
    model.set("come", false);
    model.save_changes();
    placed.observe(frame);
  }
  update();
  model.on("change:scene", update);
  return () => {
    placed.disconnect();
    model.off("change:scene", update);
  };
}

export default { render };
