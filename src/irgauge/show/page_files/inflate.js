// Deflate undone (RFC 1951). The browser's own is not ready at once, and a page that is printed cannot wait.

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]; // of the lengths of the codes of lengths
const LENGTHS = steps(3, Array.from({ length: 28 }, (_, i) => (i < 4 ? 0 : (i - 4) >> 2))).concat([[258, 0]]);
const DISTANCES = steps(1, Array.from({ length: 30 }, (_, i) => (i < 2 ? 0 : (i - 2) >> 1)));

// The least value of each symbol, with the bits that are added to it.
function steps(least, bits) {
  return bits.map((each) => [least, each, (least += 1 << each)]);
}

// For every series of bits its symbol and the length of that symbol's code, in one number.
function codesOf(lengths) {
  const most = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << most);
  let code = 0;
  for (let length = 1; length <= most; length++, code <<= 1) {
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      let turned = 0;
      for (let bit = 0; bit < length; bit++) turned |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let i = turned; i < table.length; i += 1 << length) table[i] = symbol * 16 + length;
      code++;
    });
  }
  return { table, most };
}

const FIXED = [codesOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))), codesOf(Array(30).fill(5))];

class Bits {
  constructor(bytes) {
    Object.assign(this, { bytes, at: 0, held: 0, count: 0 });
  }

  fill(count) {
    for (; this.count < count; this.count += 8) this.held |= this.bytes[this.at++] << this.count;
  }

  take(count) {
    this.fill(count);
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.count -= count;
    return value;
  }

  symbol({ table, most }) {
    this.fill(most);
    const found = table[this.held & ((1 << most) - 1)];
    this.held >>>= found & 15;
    this.count -= found & 15;
    return found >> 4;
  }

  toByte() {
    this.at -= this.count >> 3;
    this.held = this.count = 0;
  }
}

function ownCodes(bits) {
  const [symbols, distances, count] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const first = Array(19).fill(0);
  for (let i = 0; i < count; i++) first[ORDER[i]] = bits.take(3);
  const codes = codesOf(first);
  const lengths = [];
  while (lengths.length < symbols + distances) {
    const symbol = bits.symbol(codes);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...Array(3 + bits.take(2)).fill(lengths.at(-1)));
    else lengths.push(...Array(symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)).fill(0));
  }
  return [codesOf(lengths.slice(0, symbols)), codesOf(lengths.slice(symbols))];
}

function inflated(bytes, size) {
  const bits = new Bits(bytes);
  const out = new Uint8Array(size);
  let [end, isLast] = [0, 0];
  while (!isLast) {
    isLast = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) {
      bits.toByte();
      const length = bits.take(8) + bits.take(8) * 256;
      out.set(bytes.subarray(bits.at + 2, bits.at + 2 + length), end);
      bits.at += 2 + length;
      end += length;
    } else end = inflateBlock(bits, kind === 1 ? FIXED : ownCodes(bits), out, end);
  }
  return out;
}

function inflateBlock(bits, [symbols, distances], out, end) {
  for (let symbol = bits.symbol(symbols); symbol !== 256; symbol = bits.symbol(symbols)) {
    if (symbol < 256) out[end++] = symbol;
    else {
      const [least, more] = LENGTHS[symbol - 257];
      const length = least + bits.take(more);
      const [near, further] = DISTANCES[bits.symbol(distances)];
      const distance = near + bits.take(further);
      for (let i = 0; i < length; i++, end++) out[end] = out[end - distance];
    }
  }
  return end;
}

function bytesOf(base64) {
  const signs = atob(base64);
  const bytes = new Uint8Array(signs.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = signs.charCodeAt(i);
  return bytes;
}

const unpackedBytes = ({ data, size }) => inflated(bytesOf(data), size);
