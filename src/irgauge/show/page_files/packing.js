// The columns of a long table, as packing.py packed them: whole numbers, each less what is known of it already.

function unpacked(table) {
  const bytes = unpackedBytes(table.packed);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const listed = JSON.parse(textIn(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  const take = (count) => bytes.subarray(at, (at += count));
  const numbers = [];
  return table.columns.map((column) => {
    const gaps = column.gaps ? take(Math.ceil(table.rows / 8)) : null;
    const planes = Array.from({ length: column.planes }, () => take(table.rows));
    numbers.push(numbersOf(column.guess, planes, numbers, table.rows));
    return longColumn(column, numbers.at(-1), gaps, listed);
  });
}

function numbersOf({ above, columns, times, plus }, planes, before, rows) {
  const numbers = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const guess = above ? (i ? numbers[i - 1] : 0) : guessed(plus, columns, times, before, i);
    numbers[i] = guess + rest(planes, i);
  }
  return numbers;
}

const MOST = 2 ** 31 - 1;

function guessed(plus, columns, times, before, row) {
  let total = plus;
  for (let k = 0; k < columns.length; k++) total += times[k] * before[columns[k]][row];
  return Math.max(-MOST, Math.min(MOST, Math.floor(total + 0.5)));
}

function rest(planes, row) {
  let doubled = 0;
  for (let k = planes.length - 1; k >= 0; k--) doubled = doubled * 256 + planes[k][row];
  return doubled % 2 ? -(doubled + 1) / 2 : doubled / 2;
}

// A column by what its kind does with a number: `key` for sorting and for files, `text` for readers.
function longColumn(column, numbers, gaps, listed) {
  const isGap = gaps === null ? () => false : (i) => (gaps[i >> 3] >> (i & 7)) & 1;
  const kind = (column.kind === "listed" ? listedKind : numberKind)(column, numbers, listed);
  const odd = (i) => column.odd[i];
  const text = (i) => (isGap(i) ? "–" : odd(i) ? odd(i)[1] : kind.text(numbers[i]));
  return {
    ...column,
    text,
    key: (i) => (isGap(i) ? null : odd(i) ? odd(i)[0] : kind.key(numbers[i])),
    sortKey: (i) => (isGap(i) ? null : odd(i) ? odd(i)[0] : kind.sortKey(numbers[i])),
    longest: longer([gaps === null ? "" : "–", ...Object.values(column.odd).map(([, text]) => text), ...kind.widest()]),
    holding: (word) => ("–".includes(word) ? (i) => text(i).includes(word) : kind.holding(word, text)),
  };
}

const longer = (texts) => texts.reduce((most, text) => (text.length > most.length ? text : most), "");

function numberKind(column, numbers) {
  const unit = 10 ** (column.kind === "float" ? column.decimals : 0);
  const isBelow = (number) => column.least !== undefined && number < 0;
  const written = column.kind === "float" ? (number) => inDecimals(number, column.decimals) : grouped;
  const text = (number) => (isBelow(number) ? column.least : written(number));
  const ends = () => numbers.reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [0, 0]);
  return {
    key: (number) => (isBelow(number) ? column.least : number / unit),
    sortKey: (number) => number / unit,
    text,
    widest: () => ends().map(text),
    holding: (word, shownIn) => (/[^\d.,e<+-]/.test(word) ? null : (i) => shownIn(i).includes(word)),
  };
}

function inDecimals(number, decimals) {
  if (!decimals) return String(number);
  const digits = String(Math.abs(number)).padStart(decimals + 1, "0");
  return `${number < 0 ? "-" : ""}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function listedKind(column, numbers, { cells, shown }) {
  const text = (place) => shown[place] ?? cells[place];
  const own = [...new Set(numbers)];
  let ranks = null;
  return {
    key: (place) => cells[place],
    sortKey: (place) => (ranks ??= ranksOf(own, cells))[place],
    text,
    widest: () => own.map(text),
    holding: (word) => {
      const places = new Set(own.filter((place) => text(place).toLowerCase().includes(word)));
      return places.size ? (i) => places.has(numbers[i]) : null;
    },
  };
}

// The places of cells in their order; cells that are equal in it share one.
function ranksOf(own, cells) {
  const sorted = own.sort((a, b) => byKey(cells[a], cells[b], 1));
  const ranks = [];
  sorted.forEach((place, i) => {
    ranks[place] = i && byKey(cells[sorted[i - 1]], cells[place], 1) === 0 ? ranks[sorted[i - 1]] : i;
  });
  return ranks;
}
