// Systems along the axes of charts: by score, as the charts come, or by name.

const PLACES = { rank: "system", better_rank: "better", worse_rank: "worse", row_rank: "row", column_rank: "column" }; // fields of places and of the systems there
const LABELS = 12; // names that stand on an axis of places

const isByName = () => document.getElementById("order")?.value === "name";

// A chart with its data, its systems by name.
function byName(spec) {
  return unplaced(sorted(spec, spec.datasets, []));
}

function sorted(node, datasets, inherited, key) {
  if (node === null || typeof node !== "object" || key === "datasets") return node;
  if (Array.isArray(node)) return node.map((one) => sorted(one, datasets, inherited));
  const rows = datasets[node.data?.name] ?? inherited;
  const entries = Object.entries(node).map(([name, one]) => {
    if (key === "encoding" && (name === "x" || name === "y")) return [name, axisByName(one, rows)];
    return [name, sorted(one, datasets, rows, name)];
  });
  return Object.fromEntries(entries);
}

function axisByName(channel, rows) {
  const field = PLACES[channel.field] ?? channel.field;
  if (!FIELDS.includes(field) || channel.type !== "ordinal" || !rows.some((row) => field in row)) return channel;
  const names = channel.field === field ? channel.scale.domain : namesAt(channel.scale.domain, rows);
  const domain = [...names].sort(compare);
  const title = field === "system" ? `${domain.length} systems by name` : channel.axis.title.split(",")[0].replace(/ by .*/, " by name");
  const axis = channel.field === field ? { ...channel.axis, title } : someNames(channel.axis, title, domain);
  return { ...channel, field, scale: { ...channel.scale, domain }, axis };
}

function namesAt(places, rows) {
  const names = new Map(rows.flatMap((row) => Object.entries(PLACES).map(([place, field]) => [row[place], row[field]])));
  return places.map((place) => names.get(place));
}

function someNames(axis, title, domain) {
  const step = Math.ceil(domain.length / LABELS);
  return { ...axis, title, values: domain.filter((_, i) => i % step === 0), labelAngle: -50, labelLimit: 110 };
}
