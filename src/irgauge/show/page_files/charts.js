// Charts: a Vega-Lite specification, fitted to its place and drawn.

const NARROW = 560; // pixels; below, legends stand under a chart
const MANY = 3000; // rows; charts of more are painted, not built of elements

function withData(spec) {
  const names = spec.usedData ?? [];
  const datasets = Object.fromEntries(names.map((name) => [name, rowsOf(parsed(document.getElementById(name)))]));
  const { usedData, ...rest } = spec;
  return { ...rest, datasets };
}

// As the reader wants it: systems by score or by name, some of them marked.
const asChosen = (spec) => withMarks(isByName() ? byName(spec) : spec);

const PADDING = { left: 4, right: 18, top: 8, bottom: 4 }; // room for half of a label at the end of an axis
const PLACE = ["orient", "legendX", "legendY", "direction", "columns"];

// The chart without title, which the page shows as text, in the colours of the page.
function forPage(spec, isDark) {
  const { title, ...rest } = spec;
  const plain = { ...rest, background: "transparent", padding: PADDING, config: { ...rest.config, aria: false } };
  return isDark ? darkened(plain) : plain;
}

const configured = (spec, part, values) => ({ ...spec, config: { ...spec.config, [part]: { ...spec.config?.[part], ...values } } });

// Labels of short axes do not touch.
const apart = (spec) => configured(spec, "axis", { labelOverlap: "greedy" });

function legendsBelow(spec) {
  const layout = { bottom: { anchor: "end" } }; // under the names of rows too
  return configured(unplaced(spec), "legend", { orient: "bottom", direction: "vertical", layout });
}

// Without the places that legends were given.
function unplaced(node, key) {
  if (node === null || typeof node !== "object" || key === "datasets") return node;
  if (Array.isArray(node)) return node.map((one) => unplaced(one));
  const kept = Object.entries(node).filter(([name]) => key !== "legend" || !PLACE.includes(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, unplaced(one, name)]));
}

// A view, or each view of a row of them, no wider than that.
function narrower(spec, width) {
  if (spec.spec) return { ...spec, spec: narrower(spec.spec, width) };
  return typeof spec.width === "number" && spec.width > width ? { ...unlettered(thinner(spec, width / spec.width), width), width } : spec;
}

const LETTERED = 40; // pixels of a cell that has room for a number

// Cells without the numbers that they have no room for.
function unlettered(spec, width) {
  const kind = (one) => one.mark.type ?? one.mark;
  const cells = levelsOf(spec.layer?.find((one) => kind(one) === "rect" && isNominal(one.encoding?.x))?.encoding.x).length;
  return cells && width / cells < LETTERED ? { ...spec, layer: spec.layer.filter((one) => kind(one) !== "text") } : spec;
}

// The names of an axis, where a chart tells them.
const levelsOf = (channel) => [channel?.scale?.domain, channel?.sort].find(Array.isArray) ?? [];

const SOLID = ["bar", "tick", "rule", "point"]; // marks that stand side by side
const SIZES = ["size", "width", "strokeWidth"];

// Marks side by side take their share of the room.
function thinner(spec, share) {
  if (spec.layer) return { ...spec, layer: spec.layer.map((one) => thinner(one, share)) };
  const isSideBySide = SOLID.includes(spec.mark.type) && ["ordinal", "nominal"].includes(spec.encoding?.x?.type);
  const names = isSideBySide ? SIZES.filter((name) => spec.mark[name] > 1) : [];
  const thin = Object.fromEntries(names.map((name) => [name, Math.max(1, spec.mark[name] * share)]));
  return names.length ? { ...spec, mark: { ...spec.mark, ...thin } } : spec;
}

// Columns of one row come in as many rows as they need; what the row is of stands above the chart.
function wrapped(spec, datasets) {
  const { row, column } = spec.facet;
  if (!column || (row && panelsOf(spec, row, datasets) !== 1)) return spec;
  return { ...spec, facet: column, columns: Infinity };
}

// A chart that was drawn too wide: views side by side come one under the other, single ones are squeezed.
function fitted(spec, width, drawn) {
  if (width < NARROW) spec = legendsBelow(spec);
  spec = apart(spec);
  if (!isSingle(spec)) return stacked(spec, width, spec.datasets);
  const square = spec.width === spec.height;
  const height = square ? Math.max(220, spec.height * (width / drawn)) : spec.height;
  return { ...unlettered(thinner(spec, width / drawn), width - SIDE), width, height, autosize: { type: "fit-x", contains: "padding" } };
}

function stacked(spec, width, datasets) {
  const all = (views) => views.map((one) => stacked(one, width, datasets));
  const { hconcat, ...rest } = spec;
  if (hconcat) return { ...rest, vconcat: all(hconcat) };
  if (spec.vconcat) return { ...spec, vconcat: all(spec.vconcat) };
  if (spec.concat) return { ...spec, columns: 1, concat: all(spec.concat) };
  if (!spec.facet) return narrower(spec, width - SIDE);
  const panels = wrapped(spec, datasets);
  const inner = narrower(panels.spec, width - 70);
  return "columns" in panels ? { ...panels, spec: inner, columns: Math.max(1, Math.floor((width - 90) / (inner.width + 20))) } : { ...panels, spec: inner };
}

// Views one under the other, or each of a row of panels, that are still too wide by so much: names take room at their side.
function trimmed(spec, excess, datasets) {
  for (const name of ["vconcat", "concat"]) if (spec[name]) return { ...spec, [name]: spec[name].map((one) => trimmed(one, excess, datasets)) };
  if (spec.spec) return { ...spec, spec: trimmed(spec.spec, excess / columnsOf(spec, datasets), datasets) };
  return typeof spec.width === "number" ? narrower(spec, Math.max(THIN, spec.width - excess)) : spec;
}

const panelsOf = (spec, channel, datasets) => new Set((datasets[spec.data?.name] ?? []).map((one) => one[channel.field])).size;
const columnsOf = (spec, datasets) => spec.columns ?? (spec.facet.column ? panelsOf(spec, spec.facet.column, datasets) || 1 : 1);

// Titles of axes that are longer than their axes, as Vega placed them: the room that each kind of axis has.
function titleRooms(view) {
  const rooms = {};
  const visit = (mark, frame) => {
    for (const item of mark.items ?? []) {
      if (mark.role === "axis-title") {
        const [kind, room] = item.angle ? ["y", frame.height] : ["x", frame.width];
        const { x1, x2, y1, y2 } = item.bounds;
        if ((kind === "y" ? y2 - y1 : x2 - x1) > room + SLACK) rooms[kind] = Math.min(room, rooms[kind] ?? room);
      }
      const isFrame = mark.role === "frame" || mark.role === "scope";
      for (const inner of item.marktype ? [item] : item.items ?? []) visit(inner, isFrame ? item : frame);
    }
  };
  visit(view.scenegraph().root, {});
  return rooms;
}

const SLACK = 16; // pixels by which a title may be longer than its axis
const LETTER = 6.2; // pixels of a letter, of titles
const GRADIENT = 180; // pixels of a legend of shades
const LINE = 14; // and of a line of them
const TITLE = 0.66; // as many letters have room as of titles of axes where these are that share as wide

function lines(text, room) {
  const most = Math.max(14, Math.floor(room / LETTER));
  const made = [""];
  for (const word of text.split(" ")) {
    const longer = `${made.at(-1)} ${word}`.trim();
    if (longer.length <= most || !made.at(-1)) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made;
}

const NAME = 7.6; // pixels of a letter of a name
const ENDS = ["_", " ", "-", ".", "/"]; // signs after which a name is broken

// The expression of a name on two lines, if it is longer than the room.
function onTwoLines(name, room) {
  const most = Math.floor(room / NAME);
  const last = ENDS.map((sign) => `lastindexof(slice(${name}, 0, ${most}), '${sign}')`);
  const place = `(max(${last}) + 1 || ${most})`;
  return `isArray(${name}) || length(${name}) <= ${most} ? ${name} : [slice(${name}, 0, ${place}), slice(${name}, ${place})]`;
}

// A view on a phone, whose rows have room for names on two lines where some are longer than the room.
function taller(spec, room) {
  for (const part of ["vconcat", "hconcat", "concat"]) if (spec[part]) return { ...spec, [part]: spec[part].map((one) => taller(one, room)) };
  if (spec.spec) return { ...spec, spec: taller(spec.spec, room) };
  const names = (spec.layer ?? [spec]).map((one) => levelsOf(one.encoding?.y)).find((one) => one.length) ?? [];
  const isLong = names.some((one) => String(one).split("\n").some((line) => line.length * NAME > room));
  return isLong && names.length <= READ ? { ...spec, height: Math.max(spec.height, TWO_LINES * names.length) } : spec;
}

const TWO_LINES = 32; // pixels of a row whose name is on two lines
const READ = 60; // rows with names; of more they have ranks

// A specification of Vega whose titles of axes are on as many lines as these have room for, with names no longer than `most`.
function axesFor(rooms, most, width) {
  const onLines = (axis) => {
    const isAbove = axis.titleAngle === 0; // of rows
    const room = rooms[["left", "right"].includes(axis.orient) && !isAbove ? "y" : "x"];
    if (!room || typeof axis.title !== "string") return axis;
    const title = lines(axis.title, room);
    return { ...axis, title, ...(isAbove && { titleY: axis.titleY - LINE * (title.length - 1) }) };
  };
  const cut = (axis) => {
    const room = most[axis.orient];
    if (!axis.labelLimit || !room) return axis;
    const labels = axis.encode?.labels;
    const text = { signal: onTwoLines(`(${labels?.update?.text?.signal ?? "datum.label"})`, room) };
    const encode = axis.orient === "left" ? { ...axis.encode, labels: { ...labels, update: { ...labels?.update, text } } } : axis.encode;
    return { ...axis, labelLimit: Math.min(axis.labelLimit, room), ...(encode && { encode }) };
  };
  const onSeveral = (title) => (typeof title.text === "string" || Array.isArray(title.text) ? { ...title, text: lines([title.text].flat().join(" "), TITLE * width) } : title);
  const low = (legend) => (legend.gradientLength && width < NARROW ? { ...legend, direction: "horizontal", gradientLength: GRADIENT } : legend);
  const visit = (node) => ({
    ...node,
    ...(node.legends && { legends: node.legends.map(low) }),
    ...(node.title?.text && { title: onSeveral(node.title) }),
    ...(node.axes && { axes: node.axes.map(onLines).map(cut) }),
    ...(node.marks && { marks: node.marks.map(visit) }),
  });
  return visit;
}

async function viewOf(place, spec, options) {
  const made = await vegaEmbed(place, spec, { mode: "vega-lite", ast: true, actions: false, defaultStyle: false, tooltip: showTip, ...options });
  return made.view;
}

const rowCount = (spec) => Math.max(0, ...Object.values(spec.datasets).map((rows) => rows.length));

const isSingle = (spec) => typeof spec.width === "number" && typeof spec.height === "number";
const LABELLED = 48; // pixels of an axis with its title
const SLANTED = 80; // and of names on it that are slanted
const SIDE = 90; // and of one at the side
const TITLED = 24; // of a title above a view

function axisRoom(spec) {
  const views = [spec, ...(spec.layer ?? [])];
  return LABELLED + (views.some((one) => one.encoding?.x?.axis?.labelAngle) ? SLANTED : 0);
}

// How high a chart will about be, in a place of that width.
function roomOf(spec, width) {
  const all = (views) => views.map((one) => roomOf(one, width));
  const isNarrow = (views) => views.reduce((sum, one) => sum + (one.width ?? one.spec?.width ?? 200) + 90, 0) > width;
  const stacked = (rooms) => rooms.reduce((sum, one) => sum + one + 10, 0);
  if (spec.vconcat) return stacked(all(spec.vconcat));
  if (spec.hconcat) return isNarrow(spec.hconcat) ? stacked(all(spec.hconcat)) : Math.max(...all(spec.hconcat));
  if (spec.concat) {
    const columns = isNarrow(spec.concat) ? 1 : spec.columns ?? spec.concat.length;
    return stacked(all(spec.concat)) / Math.min(columns, spec.concat.length);
  }
  if (spec.spec) return 24 + roomOf(spec.spec, width);
  return (spec.height ?? 200) + axisRoom(spec);
}

const ROW = 16; // pixels: the least of a row with a name

// The least height of the rows of a view: those with several marks each keep theirs.
function rowsHeight(spec) {
  if (!hasRows(spec)) return 0;
  const views = spec.layer ?? [spec];
  if (views.some((one) => one.encoding?.yOffset || one.encoding?.y?.axis?.labelExpr)) return spec.height;
  const counts = views.map((one) => one.encoding?.y?.scale?.domain?.length ?? 0);
  const above = views.some((one) => one.encoding?.y?.axis?.titleAngle === 0) ? TITLED : 0;
  return above + Math.min(spec.height, ROW * Math.max(...counts) || Infinity);
}

const isNominal = (channel) => ["ordinal", "nominal"].includes(channel?.type);
const hasRows = (spec) => (spec.layer ?? [spec]).some((one) => isNominal(one.encoding?.y));

// A chart of one view as high as its place, and as wide, but not stretched too far; higher if its rows need it.
function filling(spec, width, height) {
  const wide = Math.min(width, Math.max(spec.width + 240, 640));
  const high = Math.max(height, rowsHeight(spec) + LABELLED);
  const placed = apart(width < NARROW ? legendsBelow(spec) : spec);
  return { ...placed, width: wide, height: high, autosize: { type: "fit", contains: "padding" } };
}

const THIN = 130; // pixels: the least width of a view among others

// Views side by side that share a place of that width and height.
function sharing(spec, width, height) {
  const share = (width - SIDE * spec.hconcat.length) / spec.hconcat.length;
  if (share < THIN) return null;
  const above = TITLED * (spec.hconcat.some(hasRows) ? 2 : 1); // rows say above them what they are
  const high = height - Math.max(...spec.hconcat.map(axisRoom)) - above;
  return { ...apart(spec), hconcat: spec.hconcat.map((one) => ({ ...one, width: share, height: high })) };
}

const isRow = (spec) => spec.hconcat?.every(isSingle);

const LOW = 110; // pixels: the least height of a view among others

// Views no higher than that, unless each of their rows has a height.
function lower(spec, height) {
  const all = (views) => views.map((one) => lower(one, height));
  if (spec.spec) return { ...spec, spec: lower(spec.spec, height) };
  for (const name of ["vconcat", "hconcat", "concat"]) if (spec[name]) return { ...spec, [name]: all(spec[name]) };
  return typeof spec.height === "number" && !hasRows(spec) ? { ...spec, height: Math.min(spec.height, height) } : spec;
}

// The chart as its place wants it, if that is of a given height and the chart can be made so.
function inPlace(spec, width, height) {
  if (!height) return null;
  if (isSingle(spec)) return filling(spec, width, height);
  return isRow(spec) ? sharing(spec, width, height) : null;
}

// Whether a chart needs more than a height that its place has.
function isTall(spec, width, height) {
  if (isSingle(spec)) return rowsHeight(spec) + LABELLED > height;
  return !(isRow(spec) && sharing(spec, width, height)) && roomOf(lower(spec, LOW), width) > height;
}

// How wide a chart is: on the screen as it is shown, for paper before any style scales it.
function widthOf({ chart, isPaper }) {
  const drawn = chart.querySelector("svg, canvas");
  if (!isPaper) return drawn?.getBoundingClientRect().width ?? 0;
  return drawn?.width.baseVal?.value ?? parseFloat(drawn?.style.width) ?? 0;
}

// Waits for nothing outside the page, so that it is done at once when the page is about to be printed.
async function draw(place, spec, isDark) {
  const page = forPage(asChosen(withData(spec)), isDark);
  const options = { renderer: rowCount(page) > MANY ? "canvas" : "svg" };
  const showOnce = async (one, more) => {
    const inner = document.createElement("div");
    inner.setAttribute("aria-hidden", "true"); // the alternative text stands for it
    place.chart.replaceChildren(inner);
    const view = await viewOf(inner, one, { ...options, ...more });
    listenForMarks(inner, view);
    return view;
  };
  const width = Math.floor(place.width);
  const most = { ...(width < NARROW && { left: 0.42 * width }), ...(place.height && { bottom: 0.4 * place.height }) };
  const show = async (one) => {
    const view = await showOnce(one, { patch: axesFor({}, most, width) });
    const rooms = titleRooms(view);
    if (!Object.keys(rooms).length) return view;
    view.finalize();
    return showOnce(one, { patch: axesFor(rooms, most, width) });
  };
  const drawn = () => widthOf(place);
  const roomy = most.left ? taller(page, most.left) : page;
  const whole = place.height ? lower(roomy, LOW) : roomy;
  let view = await show(inPlace(roomy, width, place.height) ?? whole);
  if (drawn() <= width + 1) return view;
  const closer = place.height && isRow(roomy) ? sharing(roomy, 2 * width - drawn() - SLACK, place.height) : null; // names take room
  if (closer) {
    view.finalize();
    view = await show(closer);
    if (drawn() <= width + 1) return view;
  }
  view.finalize();
  let narrow = fitted(whole, width, drawn());
  view = await show(narrow);
  for (let times = 0; times < 2 && drawn() > width + 1 && !isSingle(narrow); times++) {
    view.finalize();
    narrow = trimmed(narrow, drawn() - width, narrow.datasets);
    view = await show(narrow);
  }
  return view;
}

function showTip(handler, event, item, value) {
  const tip = document.getElementById("tip");
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const list = document.createElement("dl");
  const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
  for (const [name, one] of pairs) {
    list.append(element("dt", name), element("dd", String(one ?? "–")));
  }
  tip.replaceChildren(list);
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 16;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${below + tip.offsetHeight < innerHeight ? below : event.clientY - tip.offsetHeight - 10}px`;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
