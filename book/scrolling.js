// Outputs that are wider than a narrow window scroll: the keyboard reaches those that do.
// An output changes its size with the window, and when its view is drawn after the page.

const BOXES = "main .cell_output, main .cell_output .output";

function markScrolling(boxes) {
  for (const { target } of boxes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
}

window.addEventListener("load", () => {
  const sizes = new ResizeObserver(markScrolling);
  for (const box of document.querySelectorAll(BOXES)) sizes.observe(box);
});
