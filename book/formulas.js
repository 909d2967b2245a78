// Formulas of docstrings are typeset when they come near the window: the page of all
// operations has 1,700, which would take a minute. Until then their plain text stands.

const MARGIN = "600px";

/** Puts LaTeX in the place of the text, and asks MathJax to typeset it. */
function typeset(formula) {
  const preview = document.createElement("span");
  preview.className = "MathJax_Preview";
  preview.textContent = formula.textContent;
  const script = document.createElement("script");
  script.type = "math/tex; mode=display";
  script.text = formula.dataset.latex;
  formula.replaceChildren(preview, script);
  window.MathJax.Hub.Queue(["Typeset", window.MathJax.Hub, formula]);
}

/** Typesets each formula once, when it is first seen. */
function watchFormulas() {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) {
          observer.unobserve(target);
          typeset(target);
        }
      }
    },
    { rootMargin: MARGIN },
  );
  for (const formula of document.querySelectorAll(".formula")) observer.observe(formula);
}

window.addEventListener("load", () => {
  if (window.MathJax?.Hub) watchFormulas();
});
