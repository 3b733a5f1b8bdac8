// The page: its panels, their switches, light and dark, printing.

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const SHORT_TABLE = 12; // rows that need no filter
const PAPER = { width: 680, height: 235 }; // pixels: between the margins of A4 and Letter; of a chart beside an answer
let printing = false;
const isDark = () => root.dataset.theme === "dark" && !printing;

class Panel {
  constructor(figure) {
    this.figure = figure;
    this.scripts = [...figure.querySelectorAll("script.variant")];
    this.variants = this.scripts.map(() => null);
    this.choices = this.scripts.map((script) => Object.fromEntries(JSON.parse(script.dataset.choices)));
    this.selects = [...figure.querySelectorAll(".controls select")];
    this.chartPart = figure.querySelector(".chart-part");
    this.tablePart = figure.querySelector(".table-part");
    this.state = { sort: "none", column: -1, filter: "" };
    this.current = 0;
    this.isDrawn = false;
    this.listen();
  }

  // The chart and the table that are drawn, with what is marked now.
  showMarks() {
    if (this.view) showMarks(this.view);
    if (this.table) markRows(this.tablePart);
  }

  variant(i) {
    return (this.variants[i] ??= parsed(this.scripts[i]));
  }

  listen() {
    for (const select of this.selects) select.addEventListener("change", () => this.choose());
    for (const button of this.figure.querySelectorAll("[data-chart]")) button.addEventListener("click", () => this.saveChart(button.dataset.chart));
    for (const button of this.figure.querySelectorAll("[data-table]")) button.addEventListener("click", () => this.giveTable(button));
    this.tablePart?.querySelector("input").addEventListener("input", (event) => this.showRows({ filter: event.target.value }));
    if (this.tablePart) clickRows(this.tablePart);
  }

  // The form that agrees most with what is chosen: the measure counts most, then the population.
  choose() {
    const wanted = { ...chosen(), ...Object.fromEntries(this.selects.map((select) => [select.dataset.name, select.value])) };
    const names = Object.keys(wanted);
    const fit = (i) => names.reduce((sum, name, place) => sum + (this.choices[i][name] === wanted[name]) * 2 ** (names.length - place), 0);
    const best = this.scripts.reduce((found, _, i) => (fit(i) > fit(found) ? i : found), 0);
    for (const select of this.selects) select.value = this.choices[best][select.dataset.name] ?? select.value;
    if (best === this.current) return;
    this.current = best;
    if (this.isDrawn) this.draw();
  }

  draw() {
    const { chart, table } = this.variant(this.current);
    this.isDrawn = true;
    for (const part of [this.chartPart, this.tablePart]) part?.classList.remove("waiting");
    if (this.chartPart) this.chartPart.hidden = !chart;
    if (this.tablePart) this.tablePart.hidden = !table;
    this.drawText(this.variant(this.current));
    this.reserve();
    if (chart) this.drawChart(chart);
    if (table) this.drawRows(table);
  }

  redraw() {
    const { chart } = this.variant(this.current);
    if (chart) this.drawChart(chart);
  }

  // Title and caption of what is drawn, unless the heading says the same.
  drawText({ seen, how, alternative, chart, table }) {
    const heading = this.figure.querySelector(".panel-title").textContent;
    this.figure.querySelector(".seen").textContent = seen === heading ? "" : seen;
    this.figure.querySelector(".how").textContent = how;
    if (this.tablePart) this.tablePart.querySelector(".table-title").textContent = chart && table ? table.title : "";
    this.chartPart?.querySelector(".chart").setAttribute("aria-label", [seen, alternative].filter(Boolean).join(". "));
  }

  async drawChart(chart) {
    const find = (name) => this.chartPart.querySelector(name);
    const box = find(".chart-box");
    const turn = (this.turn = (this.turn ?? 0) + 1);
    this.width = box.clientWidth;
    this.view?.finalize();
    const width = printing ? PAPER.width : this.width;
    const view = await draw({ chart: find(".chart"), width, height: this.height(), isPaper: printing }, chart, isDark());
    if (turn !== this.turn) return void view.finalize(); // another choice was made meanwhile
    this.view = view;
    showMarks(view); // some may have been marked meanwhile
    makeReachable(box);
  }

  // The height that the chart has to keep to, if any: its place says so in the style.
  height() {
    const box = this.chartPart.querySelector(".chart-box");
    if (printing) return box.closest(".closed") && PAPER.height;
    if (getComputedStyle(box).getPropertyValue("--keeps") !== "height") return null;
    box.classList.remove("tall");
    const { chart } = this.variant(this.current);
    box.classList.toggle("tall", Boolean(chart) && isTall(chart, box.clientWidth, box.clientHeight));
    return box.clientHeight;
  }

  // The place of the chart is as high before it is drawn as then.
  reserve() {
    if (!this.chartPart || printing) return;
    const { chart } = this.variant(this.current);
    const box = this.chartPart.querySelector(".chart-box");
    if (chart && !this.height()) box.style.minHeight = `${roomOf(chart, box.clientWidth)}px`;
  }

  drawRows(table) {
    this.tablePart.classList.toggle("few", table.rows <= SHORT_TABLE);
    if (table !== this.packed) {
      this.packed = table;
      this.names = this.table?.names.join();
      this.table = tableOf(table);
      if (this.table.names.join() !== this.names) Object.assign(this.state, { sort: "none", column: -1 });
    }
    drawTable(this.tablePart, this.table, this.state);
  }

  showRows(change) {
    Object.assign(this.state, change);
    this.drawRows(this.variant(this.current).table);
  }

  fileName(ending) {
    const words = this.scripts.length < 2 ? [] : Object.values(this.choices[this.current]).map((value) => value.replace(/[^\p{L}\p{N}.@]+/gu, "-"));
    return `${[this.figure.dataset.key, ...words].join("-")}.${ending}`;
  }

  async saveChart(kind) {
    const [content, type] = await CHARTS[kind](this.variant(this.current).chart);
    save(this.fileName(kind), content, type);
  }

  giveTable(button) {
    if (!this.table) this.draw();
    const kind = button.dataset.table;
    const text = TEXTS[kind](this.table, order(this.table, this.state));
    if (kind === "copy") copy(text, button);
    else save(this.fileName(kind), text, "text/plain;charset=utf-8");
  }
}

// What scrolls can be scrolled by keyboard.
function makeReachable(box) {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Chart, scrolls"]]) {
    if (scrolls) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
}

const chosen = () => Object.fromEntries([...document.querySelectorAll(".for-all")].map((select) => [select.dataset.name, select.value]));
const panels = [...document.querySelectorAll(".panel:has(script.variant)")].map((figure) => new Panel(figure));
const isSeen = (panel) => panel.figure.checkVisibility();

function redraw(which) {
  for (const panel of panels) if (panel.isDrawn && panel.chartPart && which(panel)) panel.redraw();
}

// Charts draw when they come near the view; those that are closed when they are opened.
function drawWhenSeen() {
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      observer.unobserve(entry.target);
      const panel = panels.find((one) => one.figure === entry.target);
      if (!panel.isDrawn) panel.draw();
    }
  }, { rootMargin: "800px" });
  for (const panel of panels) observer.observe(panel.figure);
  for (const panel of panels.filter(isSeen)) panel.reserve();
  document.addEventListener("toggle", ({ target }) => {
    if (target.open) for (const panel of panels) if (!panel.isDrawn && target.contains(panel.figure)) panel.reserve();
  }, { capture: true });
}

// What is told of the measure and the population that are chosen; where nothing is of that population, of all.
function fitting(all) {
  const { measure, population } = chosen();
  const ofMeasure = all.filter((one) => !measure || !one.dataset.measure || one.dataset.measure === measure);
  const isOf = (one) => population !== undefined && one.dataset.population === population;
  return ofMeasure.some(isOf) ? ofMeasure.filter((one) => isOf(one) || !one.dataset.population) : ofMeasure;
}

function showFitting(all, { once }) {
  const kept = fitting(all);
  const shown = new Set(once ? kept.slice(0, 1) : kept);
  for (const one of all) one.hidden = !shown.has(one);
}

function showFindings() {
  for (const answers of document.querySelectorAll(".answers")) showFitting([...answers.children], { once: true });
  for (const all of document.querySelectorAll(".rankings")) showFitting([...all.children], { once: true });
  showFitting([...document.querySelectorAll(".why table")], { once: true });
  showReasons();
  const cards = [...document.querySelectorAll(".cards li")];
  for (const fact of new Set(cards.map((one) => one.dataset.fact))) showFitting(cards.filter((one) => one.dataset.fact === fact), { once: true });
  for (const section of document.querySelectorAll(".question:has(.told)")) {
    const all = [...section.querySelectorAll(".told > li")];
    showFitting(all, { once: false });
    const first = fitting(all)[0];
    if (!first) continue;
    first.hidden = true; // it stands above
    const [answer, quote] = [section.querySelector(".answer"), first.querySelector(".quote")];
    answer.textContent = quote.textContent;
    answer.title = quote.title;
    answer.dataset.place = quote.dataset.place ?? "";
  }
}

function showTheme(theme) {
  root.dataset.theme = theme;
  root.style.colorScheme = theme;
  document.getElementById("theme").setAttribute("aria-pressed", String(theme === "dark"));
}

function setTheme(theme) {
  const changed = root.dataset.theme !== theme;
  showTheme(theme);
  if (changed) redraw(() => true);
}

function startTheme() {
  setTheme(prefersDark.matches ? "dark" : "light");
  prefersDark.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
  document.getElementById("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
}

// Paper has what is open, and warnings and methods always; the whole page if it says so. It is light, and charts are
// drawn for its width, so that their letters are not scaled.
function startPrinting() {
  document.getElementById("print").addEventListener("click", () => window.print());
  const unfolded = document.body.dataset.prints === "all" ? ".fold, .settings details, .about" : ":not(#settings) > .fold:not(.rest), .about";
  let theme = "light";
  let opened = []; // for paper only
  let drawn = [];
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    printing = true;
    opened = [...document.querySelectorAll(unfolded)].filter((one) => !one.open);
    for (const one of opened) one.open = true;
    showTheme("light");
    spreadRows(true);
    drawn = panels.filter(isSeen);
    for (const panel of drawn) panel.isDrawn ? panel.redraw() : panel.draw();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    for (const one of opened) one.open = false;
    showTheme(theme);
    for (const panel of drawn) panel.redraw(); // as its place on the screen is
    [opened, drawn] = [[], []];
    spreadRows(false);
  });
}

// All systems of the picture, or the best again: one click.
function startAllSystems() {
  const [button, select] = [document.getElementById("all-systems"), document.querySelector('.for-all[data-name="systems"]')];
  const isAll = () => select.selectedIndex > 0;
  select?.addEventListener("change", () => button?.setAttribute("aria-pressed", String(isAll())));
  button?.addEventListener("click", () => {
    select.selectedIndex = Number(!isAll());
    select.dispatchEvent(new Event("change"));
  });
}

function startSwitches() {
  for (const select of document.querySelectorAll(".for-all")) {
    select.addEventListener("change", () => {
      showFindings();
      for (const panel of panels) panel.choose();
      say(document.querySelector("h1").innerText);
    });
  }
  showFindings();
}

function startSystems() {
  startMarks();
  document.addEventListener("marks", () => panels.forEach((panel) => panel.showMarks()));
  document.getElementById("order")?.addEventListener("change", () => redraw(() => true));
}

// A link to what is closed opens it; a menu closes when something in it, or something else, is chosen.
function startLinks() {
  const open = () => {
    const place = document.getElementById(location.hash.slice(1));
    const fold = place && place.querySelector(":scope > .fold:not(.rest)");
    if (fold) fold.open = true;
  };
  window.addEventListener("hashchange", open);
  open();
  const menu = document.querySelector(".menu.contents");
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") menu.open = false; });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target) || event.target.closest("a")) menu.open = false;
  });
  const options = document.getElementById("options");
  options.addEventListener("click", () => options.setAttribute("aria-expanded", String(options.getAttribute("aria-expanded") !== "true")));
}

// The index at the side says which section is in view.
function startIndex() {
  const links = new Map([...document.querySelectorAll(".index a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) link.toggleAttribute("aria-current", id === first);
  }, { rootMargin: "-10% 0px -50% 0px" });
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

function startResizing() {
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => redraw((panel) => panel.chartPart.querySelector(".chart-box").clientWidth !== panel.width), 200);
  });
}

// A sentence is copied with how it was found.
function startCopying() {
  for (const button of document.querySelectorAll(".copy-quote, .copy-answer")) {
    const quote = button.parentElement.querySelector(".quote, .answer");
    button.addEventListener("click", () => copy(quote.title ? `${quote.textContent} (${quote.title})` : quote.textContent, button));
  }
}

startTheme();
startPrinting();
startSwitches();
startAllSystems();
startSystems();
startLinks();
startCopying();
startIndex();
startResizing();
drawWhenSeen();
