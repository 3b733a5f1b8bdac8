// Steps of a page, one at a time: by buttons or arrow keys. Without this script all stand below each other.
(() => {
  const place = document.querySelector(".steps");
  const steps = [...place.querySelectorAll(".step")];
  const bar = document.createElement("div");
  bar.className = "steps-bar";
  const button = (words, by) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", () => show(now + by));
    return made;
  };
  const [back, next] = [button("← Back", -1), button("Next →", 1)];
  const count = document.createElement("span");
  count.setAttribute("role", "status");
  let now = 0;

  function show(number) {
    now = Math.min(Math.max(number, 0), steps.length - 1);
    steps.forEach((step, i) => { step.hidden = i !== now; });
    count.textContent = `${now + 1} of ${steps.length}`;
    back.disabled = now === 0;
    next.disabled = now === steps.length - 1;
  }

  // A link to what is in a step shows that step.
  function follow() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const number = steps.findIndex((step) => target && step.contains(target));
    show(Math.max(number, 0));
    if (number >= 0) target.scrollIntoView();
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight") show(now + 1);
    if (event.key === "ArrowLeft") show(now - 1);
  });
  bar.append(back, count, next);
  place.prepend(bar);
  window.addEventListener("hashchange", follow);
  follow();
})();
