// Marked systems stand out in all charts and tables: by a click, by dragging over several, or by name.

const { marked: MARKED, systems: FIELDS } = parsed(document.getElementById("fields")); // of the data of charts
const FAR = 5; // pixels from where a pointer that moves is dragging
const NAMED = 3; // marked systems whose names stand in the bar
const SYSTEMS = new Set([...document.querySelectorAll("#systems option")].map((option) => option.value));
const marks = new Set();
const JOINER = "\u2060"; // stands in charts behind names that Vega would trip over
const plainName = (name) => (name?.endsWith?.(JOINER) ? name.slice(0, -JOINER.length) : name);
const drawnMarks = () => [...marks].flatMap((name) => [name, name + JOINER]);

function setMarks(names) {
  marks.clear();
  for (const name of names) marks.add(name);
  drawMarks();
  const reasons = showReasons();
  say(marks.size ? [`Marked: ${[...marks].join(", ")}`, ...reasons].join(". ") : "No system is marked");
  document.dispatchEvent(new Event("marks"));
}

// Why the marked systems are where they are, by the measure and for the population that are chosen.
function showReasons() {
  const rows = [...document.querySelectorAll(".why table:not([hidden]) tr")];
  for (const row of rows) row.querySelector("button").setAttribute("aria-pressed", String(marks.has(row.cells[0].textContent)));
  const texts = rows.filter((row) => marks.has(row.cells[0].textContent)).slice(0, NAMED).map((row) => `${row.cells[0].textContent} ${row.cells[1].textContent}`);
  const place = document.getElementById("reason");
  place?.replaceChildren(...texts.flatMap((text) => [text, document.createElement("br")]).slice(0, -1));
  if (place) place.hidden = !texts.length;
  return texts;
}

const addMarks = (names) => setMarks([...marks, ...names]);

function toggleMarks(names) {
  if (!names.length) return;
  if (names.every((name) => marks.has(name))) setMarks([...marks].filter((name) => !names.includes(name)));
  else addMarks(names);
}

function drawMarks() {
  const named = [...marks].slice(0, NAMED).map((name) => {
    const button = element("button", `${name} ×`);
    button.type = "button";
    button.setAttribute("aria-label", `Unmark ${name}`);
    button.addEventListener("click", (event) => {
      toggleMarks([name]);
      toInput(event);
    });
    return button;
  });
  const more = marks.size - named.length;
  document.querySelector("#marks .names").replaceChildren(...named, more > 0 ? `and ${more} more` : "");
  document.getElementById("marks").hidden = !marks.size;
}

// The button is gone: who pressed it by keyboard goes on from the input; on a phone that would open the keyboard.
function toInput(event) {
  if (event.detail === 0) document.getElementById("mark").focus();
}

// The system of that name, or all whose names hold the text.
function found(text) {
  if (SYSTEMS.has(text)) return [text];
  const wanted = text.toLowerCase();
  return [...SYSTEMS].filter((name) => name.toLowerCase().includes(wanted));
}

function markByName(input) {
  const text = input.value.trim();
  if (!text) return;
  const names = found(text);
  if (!names.length) return say(`No system has ${text} in its name`);
  input.value = "";
  addMarks(names);
}

function startMarks() {
  document.querySelector(".why")?.addEventListener("click", ({ target }) => {
    if (target.closest("th button")) toggleMarks([target.textContent]);
  });
  const input = document.getElementById("mark");
  input?.addEventListener("change", () => markByName(input));
  input?.addEventListener("input", (event) => {
    if (!event.inputType || event.inputType === "insertReplacementText") markByName(input); // taken from the list
  });
  document.getElementById("unmark")?.addEventListener("click", (event) => {
    setMarks([]);
    toInput(event);
  });
}

const withMarks = (spec) => ({ ...spec, params: spec.params?.map((one) => (one.name === MARKED ? { ...one, value: drawnMarks() } : one)) });

function showMarks(view) {
  if (MARKED in view.getState({ signals: (name) => name === MARKED, data: () => false }).signals) view.signal(MARKED, drawnMarks()).runAsync();
}

const systemsOf = (datum) => FIELDS.map(({ system }) => plainName(datum?.[system])).filter((name) => SYSTEMS.has(name));
const isPath = (mark) => ["line", "area"].includes(mark.marktype);

// From where to where a mark is, however thick its lines are.
function extent({ marktype }, { x, y, x2 = x, y2 = y, bounds }) {
  if (marktype === "rule") return { x1: Math.min(x, x2), y1: Math.min(y, y2), x2: Math.max(x, x2), y2: Math.max(y, y2) };
  return isPath({ marktype }) ? { x1: x, y1: y, x2: x, y2: y } : bounds;
}

// The marks of systems with their places in the chart.
function* placed(mark, x = 0, y = 0) {
  for (const item of mark.items) {
    if (mark.marktype === "group") {
      for (const inner of item.items) yield* placed(inner, x + (item.x ?? 0), y + (item.y ?? 0));
      continue;
    }
    const systems = systemsOf(item.datum);
    if (!systems.length) continue;
    const { x1, y1, x2, y2 } = extent(mark, item);
    yield { systems, mark, x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y };
  }
}

const placedIn = (view) => [...placed(view.scenegraph().root)];

// Where an event is, as the marks of a chart are placed.
function pointIn(view, event) {
  const corner = view.container().querySelector("svg, canvas").getBoundingClientRect();
  const [x, y] = view.origin();
  const { left, top } = view.padding();
  return { x: event.clientX - corner.left - left - x, y: event.clientY - corner.top - top - y };
}

// The systems of a mark; of a line through several, that of the point nearest to the pointer.
function picked(view, event, item) {
  if (!item) return [];
  if (!isPath(item.mark)) return systemsOf(item.datum);
  const { x } = pointIn(view, event);
  const own = placedIn(view).filter((one) => one.mark === item.mark);
  const away = (one) => Math.abs(one.x1 - x);
  return own.reduce((nearest, one) => (away(one) < away(nearest) ? one : nearest), own[0])?.systems ?? [];
}

function inside(view, a, b) {
  const [left, right, top, bottom] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const touched = placedIn(view).filter((one) => one.x1 <= right && one.x2 >= left && one.y1 <= bottom && one.y2 >= top);
  return new Set(touched.flatMap((one) => one.systems));
}

// A chart of systems listens to clicks, and to a mouse or a pen that drags; a finger scrolls.
function listenForMarks(place, view) {
  if (!placedIn(view).length) return;
  place.classList.add("markable");
  view.addEventListener("click", (event, item) => toggleMarks(picked(view, event, item)));
  place.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.pointerType !== "touch") drag(place, view, event);
  });
}

function drag(place, view, start) {
  const box = element("div", "");
  box.className = "brush";
  const stop = new AbortController();
  const listen = (name, does) => window.addEventListener(name, does, { signal: stop.signal });
  listen("pointermove", (event) => {
    if (!box.isConnected && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < FAR) return;
    place.append(box);
    stretch(box, place.getBoundingClientRect(), start, event);
  });
  listen("pointerup", (event) => {
    stop.abort();
    if (!box.isConnected) return;
    box.remove();
    ignoreClick();
    const names = inside(view, pointIn(view, start), pointIn(view, event));
    if (names.size) setMarks(event.shiftKey ? [...marks, ...names] : names);
  });
  listen("pointercancel", () => {
    stop.abort();
    box.remove();
  });
}

function stretch(box, frame, a, b) {
  const within = (value, least, most) => Math.min(Math.max(value, least), most);
  const [x1, x2] = [a.clientX, b.clientX].map((x) => within(x - frame.left, 0, frame.width)).sort((p, q) => p - q);
  const [y1, y2] = [a.clientY, b.clientY].map((y) => within(y - frame.top, 0, frame.height)).sort((p, q) => p - q);
  Object.assign(box.style, { left: `${x1}px`, top: `${y1}px`, width: `${x2 - x1}px`, height: `${y2 - y1}px` });
}

// The click that ends a drag is none.
function ignoreClick() {
  const ignore = (event) => event.stopPropagation();
  window.addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", ignore, { capture: true }));
}

// Cells of systems can be clicked; those of marked systems are marked.
const isSystemCell = (table, column, text) => table.columns[column].role === "system" && SYSTEMS.has(text);

function markRows(part) {
  for (const cell of part.querySelectorAll("td.system")) {
    const isMarked = marks.has(cell.textContent);
    if (isMarked !== (cell.firstElementChild !== null)) cell.replaceChildren(isMarked ? element("mark", cell.textContent) : cell.textContent);
  }
  for (const row of part.querySelectorAll("tbody tr")) row.classList.toggle("marked", row.querySelector("mark") !== null);
}

function clickRows(part) {
  part.addEventListener("click", (event) => {
    const cell = event.target.closest("td.system");
    if (cell && getSelection().isCollapsed) toggleMarks([cell.textContent]);
  });
}
