// The texts of all charts that are drawn: what is too small, cut, outside of its chart, or over another label.
(least) => {
  const seen = (text) => text.textContent && getComputedStyle(text).opacity !== "0" && text.getBoundingClientRect().width > 0;
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const isLevel = (text) => !/rotate\((?!0|-?90|270)/.test(text.getAttribute("transform") ?? "");
  const faults = [];
  const say = (svg, fault, text) => faults.push(`${svg.closest("[data-key]")?.dataset.key}: ${fault}: ${text.textContent}`);
  for (const svg of document.querySelectorAll(".chart svg")) {
    const box = svg.getBoundingClientRect();
    if (!box.width) continue;
    const scale = box.width / svg.viewBox.baseVal.width;
    const texts = [...svg.querySelectorAll("text")].filter(seen);
    for (const text of texts) {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < least - 0.05) say(svg, `${size.toFixed(1)} px`, text);
      if (left < box.left - 1 || right > box.right + 1 || top < box.top - 2 || bottom > box.bottom + 2) say(svg, "outside", text);
      if (text.textContent.endsWith("…")) say(svg, "cut", text);
    }
    for (const mark of svg.querySelectorAll(".mark-text.role-mark")) {
      const numbers = [...mark.querySelectorAll("text")].filter(seen);
      const boxes = numbers.map((text) => text.getBoundingClientRect());
      const isBeside = (a, b) => Math.abs(a.top - b.top) < 2 && overlap(a, b); // in one row of cells
      numbers.forEach((text, i) => boxes.slice(0, i).some((other) => isBeside(other, boxes[i])) && say(svg, "overlaps", text));
    }
    for (const axis of svg.querySelectorAll(".role-axis-label")) {
      const labels = [...axis.querySelectorAll("text")].filter((text) => seen(text) && isLevel(text));
      const boxes = labels.map((text) => text.getBoundingClientRect());
      labels.forEach((text, i) => boxes.slice(0, i).some((other) => overlap(other, boxes[i])) && say(svg, "overlaps", text));
      const slanted = [...axis.querySelectorAll("text")].filter((text) => seen(text) && !isLevel(text));
      if (slanted.length) say(svg, "slanted", slanted[0]);
    }
    if (box.width > svg.closest(".chart-box").clientWidth + 1) say(svg, "scrolls", { textContent: `${Math.round(box.width)}` });
  }
  return faults;
}
