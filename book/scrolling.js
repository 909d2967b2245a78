// Outputs that are wider than a narrow window scroll: the keyboard reaches those that do.

const BOXES = "main .cell_output, main .cell_output .output";

function markScrolling() {
  for (const box of document.querySelectorAll(BOXES)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

window.addEventListener("load", markScrolling);
window.addEventListener("resize", markScrolling);
