// The page: its panels, their switches, light and dark, printing.

const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
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
    for (const part of [this.chartPart, this.tablePart]) part?.classList.add("waiting");
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
    for (const select of this.selects) select.addEventListener("change", () => this.choose(select.dataset.name, select.value));
    for (const button of this.figure.querySelectorAll("[data-chart]")) button.addEventListener("click", () => this.saveChart(button.dataset.chart));
    for (const button of this.figure.querySelectorAll("[data-table]")) button.addEventListener("click", () => this.giveTable(button));
    this.tablePart?.querySelector("input").addEventListener("input", (event) => this.showRows({ filter: event.target.value }));
    if (this.tablePart) clickRows(this.tablePart);
  }

  // The form of the panel with that choice which keeps most of the others.
  choose(name, value) {
    const wanted = { ...Object.fromEntries(this.selects.map((select) => [select.dataset.name, select.value])), [name]: value };
    const fits = (i) => {
      const choices = this.choices[i];
      return choices[name] === value ? Object.keys(wanted).filter((key) => choices[key] === wanted[key]).length : -1;
    };
    const best = this.scripts.reduce((found, _, i) => (fits(i) > fits(found) ? i : found), 0);
    if (fits(best) < 0) return;
    this.current = best;
    const choices = this.choices[best];
    for (const select of this.selects) if (select.dataset.name in choices) select.value = choices[select.dataset.name];
    if (this.isDrawn) this.draw();
  }

  draw() {
    const { chart, table } = this.variant(this.current);
    this.isDrawn = true;
    for (const part of [this.chartPart, this.tablePart]) part?.classList.remove("waiting");
    if (this.chartPart) this.chartPart.hidden = !chart;
    if (this.tablePart) this.tablePart.hidden = !table;
    this.drawText(this.variant(this.current));
    if (chart) this.drawChart(chart);
    if (table) this.drawRows(table);
  }

  // Title and caption of what is drawn, unless the heading says the same.
  drawText({ seen, how, alternative, chart, table }) {
    const heading = this.figure.querySelector("h3").textContent;
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
    const view = await draw({ box, chart: find(".chart"), bindings: find(".bindings") }, chart, isDark());
    if (turn !== this.turn) return void view.finalize(); // another choice was made meanwhile
    this.view = view;
    showMarks(view); // some may have been marked meanwhile
    makeReachable(box);
  }

  drawRows(table) {
    if (table !== this.packed) {
      this.packed = table;
      this.table = tableOf(table);
      if (this.state.column >= this.table.names.length) Object.assign(this.state, { sort: "none", column: -1 });
    }
    drawTable(this.tablePart, this.table, this.state);
  }

  showRows(change) {
    Object.assign(this.state, change);
    this.drawRows(this.variant(this.current).table);
  }

  fileName(ending) {
    const words = !this.selects.length ? [] : Object.values(this.choices[this.current]).map((value) => value.replace(/[^\p{L}\p{N}.@]+/gu, "-"));
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
  const scrolls = box.scrollWidth > box.clientWidth;
  for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", "Chart, scrolls sideways"]]) {
    if (scrolls) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
}

const panels = [...document.querySelectorAll(".panel:has(script.variant)")].map((figure) => new Panel(figure));

function redraw(which) {
  for (const panel of panels) if (panel.isDrawn && panel.view && which(panel)) panel.drawChart(panel.variant(panel.current).chart);
}

function drawWhenSeen() {
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      observer.unobserve(entry.target);
      const panel = panels.find((one) => one.figure === entry.target);
      if (!panel.isDrawn) panel.draw();
    }
  }, { rootMargin: "600px" });
  for (const panel of panels) observer.observe(panel.figure);
}

function setTheme(theme) {
  const changed = root.dataset.theme !== theme;
  root.dataset.theme = theme;
  root.style.colorScheme = theme;
  document.getElementById("theme").setAttribute("aria-pressed", String(theme === "dark"));
  if (changed) redraw(() => true);
}

function startTheme() {
  setTheme(prefersDark.matches ? "dark" : "light");
  prefersDark.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
  document.getElementById("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
}

function startPrinting() {
  document.getElementById("print").addEventListener("click", () => window.print());
  let theme = "light";
  window.addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    printing = true;
    setTheme("light");
    for (const more of document.querySelectorAll(".more-findings")) more.open = true;
    spreadRows(true);
    for (const panel of panels) if (!panel.isDrawn) panel.draw();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    setTheme(theme);
    spreadRows(false);
  });
}

function startSwitches() {
  for (const select of document.querySelectorAll(".for-all")) {
    select.addEventListener("change", () => {
      for (const panel of panels) if (panel.selects.some((one) => one.dataset.name === select.dataset.name)) panel.choose(select.dataset.name, select.value);
    });
  }
}

function startSystems() {
  startMarks();
  document.addEventListener("marks", () => panels.forEach((panel) => panel.showMarks()));
  document.getElementById("order")?.addEventListener("change", () => redraw(() => true));
}

function startContents() {
  const links = [...document.querySelectorAll(".contents a")];
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".contents details").open = false;
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      for (const link of links) {
        if (link.hash === `#${entry.target.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }
  }, { rootMargin: "-15% 0px -75%" });
  for (const section of document.querySelectorAll("main > section")) observer.observe(section);
}

function startResizing() {
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => redraw((panel) => panel.chartPart.querySelector(".chart-box").clientWidth !== panel.width), 200);
  });
}

for (const button of document.querySelectorAll(".copy-quote")) {
  button.addEventListener("click", () => {
    const finding = button.closest("li");
    const about = [...finding.querySelectorAll(".about span")].map((one) => one.textContent).join("; ");
    copy(`${finding.querySelector(".quote").textContent} (${about})`, button);
  });
}
startTheme();
startPrinting();
startSwitches();
startSystems();
startContents();
startResizing();
drawWhenSeen();
