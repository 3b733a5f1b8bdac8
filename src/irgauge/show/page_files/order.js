// Systems along the axes of charts: by score, as the charts come, or by name.

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
  const own = FIELDS.find(({ system, rank }) => [system, rank].includes(channel.field));
  if (!own || channel.type !== "ordinal" || !rows.some((row) => own.system in row)) return channel;
  const isNamed = channel.field === own.system;
  const domain = [...(isNamed ? channel.scale.domain : namesAt(channel.scale.domain, rows))].sort(compare);
  const title = own.by_name.replace("{n}", domain.length);
  const axis = isNamed ? { ...channel.axis, title } : someNames(channel.axis, title, domain);
  return { ...channel, field: own.system, scale: { ...channel.scale, domain }, axis };
}

// A system may be on one axis of a pair only.
function namesAt(ranks, rows) {
  const names = new Map(rows.flatMap((row) => FIELDS.map(({ system, rank }) => [row[rank], row[system]])));
  return ranks.map((one) => names.get(one));
}

function someNames(axis, title, domain) {
  const step = Math.ceil(domain.length / LABELS);
  return { ...axis, title, values: domain.filter((_, i) => i % step === 0), labelAngle: -90, labelLimit: 230 };
}
