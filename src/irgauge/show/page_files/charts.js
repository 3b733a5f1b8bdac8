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

const PLACE = ["orient", "legendX", "legendY", "direction", "columns"];

// The chart without title, which the page shows as text, in the colours of the page.
function forPage(spec, isDark) {
  const { title, ...rest } = spec;
  const plain = { ...rest, background: "transparent", padding: 4, config: { ...rest.config, aria: false } };
  return isDark ? darkened(plain) : plain;
}

const configured = (spec, part, values) => ({ ...spec, config: { ...spec.config, [part]: { ...spec.config?.[part], ...values } } });

// Labels of short axes do not touch.
const apart = (spec) => configured(configured(spec, "axis", { labelOverlap: "greedy" }), "axisX", { labelSeparation: 6 });

function legendsBelow(spec) {
  return configured(unplaced(spec), "legend", { orient: "bottom", direction: "vertical" });
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
  return typeof spec.width === "number" && spec.width > width ? { ...thinner(spec, width / spec.width), width } : spec;
}

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
function wrapped(spec) {
  const { row, column } = spec.facet;
  const rows = spec.datasets[spec.data?.name] ?? [];
  if (!row || !column || new Set(rows.map((one) => one[row.field])).size !== 1) return spec;
  return { ...spec, facet: column, columns: Infinity };
}

// A chart that was drawn too wide: views side by side come one under the other, single ones are squeezed.
function fitted(spec, width, drawn) {
  if (width < NARROW) spec = legendsBelow(spec);
  spec = configured(apart(spec), "axisX", { titleLimit: width - 90 });
  if (spec.hconcat) {
    const { hconcat, ...rest } = spec;
    return { ...rest, vconcat: hconcat.map((one) => narrower(one, width - 90)) };
  }
  if (spec.concat) return { ...spec, columns: 1, concat: spec.concat.map((one) => narrower(one, width - 70)) };
  if (spec.facet && spec.spec) {
    spec = wrapped(spec);
    const inner = narrower(spec.spec, width - 110);
    return "columns" in spec ? { ...spec, spec: inner, columns: Math.max(1, Math.floor((width - 90) / (inner.width + 20))) } : { ...spec, spec: inner };
  }
  if (typeof spec.width !== "number") return spec;
  const square = spec.width === spec.height;
  const height = square ? Math.max(220, spec.height * (width / drawn)) : spec.height;
  return { ...thinner(spec, width / drawn), width, height, autosize: { type: "fit-x", contains: "padding" } };
}

async function viewOf(place, spec, options) {
  const made = await vegaEmbed(place, spec, { mode: "vega-lite", ast: true, actions: false, defaultStyle: false, tooltip: showTip, ...options });
  return made.view;
}

const rowCount = (spec) => Math.max(0, ...Object.values(spec.datasets).map((rows) => rows.length));

const isSingle = (spec) => typeof spec.width === "number" && typeof spec.height === "number";
const LABELLED = 44; // pixels of an axis with its title
const SLANTED = 80; // and of names on it that are slanted
const SIDE = 75; // and of one at the side
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

const ROW = 13; // pixels: the least of a row with a name

// A chart of one view as high as its place, and as wide, but not stretched too far; higher if its rows need it.
function filling(spec, width, height) {
  const wide = Math.min(width, Math.max(spec.width + 240, 640));
  const rows = (spec.layer ?? [spec]).map((one) => (one.encoding?.y?.type === "ordinal" ? one.encoding.y.scale.domain.length : 0));
  const high = Math.max(height, ROW * Math.max(...rows) + LABELLED);
  const placed = width < NARROW ? apart(legendsBelow(spec)) : spec;
  return { ...placed, width: wide, height: high, autosize: { type: "fit", contains: "padding" } };
}

// Views side by side that share a place of that width and height.
function sharing(spec, width, height) {
  const share = (width - SIDE * spec.hconcat.length) / spec.hconcat.length;
  const high = height - Math.max(...spec.hconcat.map(axisRoom)) - TITLED;
  return { ...spec, hconcat: spec.hconcat.map((one) => ({ ...one, width: share, height: high })) };
}

const isRow = (spec) => spec.hconcat?.every(isSingle);

// The chart as its place wants it, if that is of a given height and the chart can be made so.
function inPlace(spec, width, height) {
  if (!height) return null;
  if (isSingle(spec)) return filling(spec, width, height);
  return isRow(spec) ? sharing(spec, width, height) : null;
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
  const show = async (one) => {
    const inner = document.createElement("div");
    inner.setAttribute("aria-hidden", "true"); // the alternative text stands for it
    place.chart.replaceChildren(inner);
    const view = await viewOf(inner, one, options);
    listenForMarks(inner, view);
    return view;
  };
  const width = Math.floor(place.width);
  const kept = inPlace(page, width, place.height);
  if (kept) return show(kept);
  const view = await show(page);
  const drawn = widthOf(place);
  if (drawn <= width + 1) return view;
  view.finalize();
  return show(fitted(page, width, drawn));
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
