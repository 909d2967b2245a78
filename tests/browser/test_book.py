"""The built book, opened from the disk: no kernel, no server, no network.

`make book` comes first, and `npm ci` in `widgets/` for axe-core; without them these
tests are skipped.
"""

from __future__ import annotations

import re

import pytest

from tests.house.source_tree import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOOK = ROOT / "book" / "_build" / "html"
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
AXE = ROOT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
# Pages of every kind that there is.
KINDS = (
    "index", "search", "teaching", "chapters/00-start", "chapters/06-losses",
    "chapters/09-cnn", "chapters/views", "reference/index", "reference/torch.linalg",
    "_static/sources/edutorch/optim/adam.py",
)  # fmt: skip
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
VIOLATIONS = """async (rules) => {
  const {passes, violations} = await axe.run(document, {
    runOnly: rules, preload: false, resultTypes: ["violations"],
  });
  const places = ({id, nodes}) => nodes.map((node) => `${id}: ${node.target}`);
  return [passes.length, violations.flatMap(places)];
}"""
OWN = ("file:", "blob:", "data:", "about:")
# Milliseconds from each move of a slider to the change of its text.
TIMES = """async ([slider, text, values]) => {
  const times = [];
  for (const value of values) {
    const changed = new Promise((done) => {
      const seen = new MutationObserver(() => { seen.disconnect(); done(); });
      seen.observe(text, {subtree: true, childList: true, characterData: true});
    });
    const start = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    await changed;
    times.push(performance.now() - start);
  }
  return times;
}"""
SCROLLED = "main :is(.cell_output, .output)[tabindex='0']"
GROUND = "e => getComputedStyle(e).backgroundColor"


@pytest.fixture(scope="module")
def page(browser):
    if not (BOOK / "index.html").exists():
        pytest.skip("the book is not built: make book")
    context = browser.new_context(
        viewport={"width": 1300, "height": 900}, color_scheme="light"
    )
    page = context.new_page()
    page.problems, page.requested = [], []
    page.on("console", lambda message: note(page, message))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.requested.append(request.url))
    page.route("http*://**", lambda route: route.abort())
    yield page
    context.close()


def note(page, message):
    """Keep an error, but for those of MathJax, which tries fonts with an empty one."""
    of_fonts = "about:blank" in message.text + message.location["url"]
    if message.type == "error" and not of_fonts:
        page.problems.append(message.text)


def opened(page, name):
    page.goto((BOOK / f"{name}.html").as_uri())


def wait_for_views(page):
    """Wait until the page has drawn its interactions in the place of their stills."""
    page.wait_for_function(
        "() => [...document.querySelectorAll('.edutorch-alive')]"
        ".every((place) => place.querySelector('section.edutorch'))"
    )


def interaction(page, chapter, kind):
    """A chapter's interaction, once the page has drawn it."""
    opened(page, f"chapters/{chapter}")
    view = page.locator(f".edutorch-{kind}")
    view.wait_for()
    view.scroll_into_view_if_needed()
    return view


def wait_for(view, name, text):
    view.get_by_test_id(name).filter(has_text=re.compile(text)).wait_for()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_strides_by_mouse_and_keys_follow_the_views(page):
    view = interaction(page, "01-tensors", "stride_inspector")
    view.get_by_test_id("reset").click()
    view.get_by_test_id("transpose").click()
    wait_for(view, "caption", r"x\.t\(\): shape \(4, 3\), strides \(1, 4\)")
    view.get_by_test_id("view").locator("[data-at='0,0']").click()
    press(page, "ArrowDown", "ArrowDown", "ArrowRight")
    wait_for(view, "walk", r"^y\[2, 1\] is at 0 \+ 2·1 \+ 1·4 = 6$")


def test_logits_by_mouse_and_keys_move_the_loss(page):
    view = interaction(page, "06-losses", "logit_sliders")
    view.get_by_test_id("right").select_option("0")
    view.get_by_test_id("undecided").click()
    view.get_by_test_id("logit-1").focus()
    press(page, *["ArrowRight"] * 10)  # 0.1 a key
    wait_for(view, "p-1", r"^0\.576$")
    wait_for(view, "verdict", r"loss 1\.55\.")
    slider = view.get_by_test_id("logit-2")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    wait_for(view, "p-2", "^1$")
    wait_for(view, "verdict", r"loss 10\.")


def test_race_by_mouse_and_keys_goes_step_by_step(page):
    view = interaction(page, "07-optimizers", "optimizer_race")
    view.get_by_test_id("surface").select_option("rosenbrock")
    view.get_by_test_id("reset").click()
    at = view.get_by_test_id("SGD").locator("td").first
    at.filter(has_text=re.compile("^0$")).wait_for()
    view.get_by_test_id("step").click()
    at.filter(has_text=re.compile("^1$")).wait_for()
    view.get_by_test_id("step-slider").focus()
    press(page, "ArrowRight", "ArrowRight")
    at.filter(has_text=re.compile("^3$")).wait_for()


def test_convolution_by_mouse_and_keys_goes_from_window_to_window(page):
    view = interaction(page, "09-cnn", "conv_stepper")
    view.get_by_test_id("outputs").locator("[data-at='0,0']").click()
    press(page, "ArrowDown", "End")
    wait_for(view, "product", r"^Output \(1, 5\)")
    view.get_by_test_id("next").click()
    wait_for(view, "product", r"^Output \(2, 0\)")
    view.get_by_test_id("stride").select_option("2")
    wait_for(view, "size", "stride 2, padding 0: 3 × 3 outputs")


def test_gates_follow_the_word_that_is_typed(page):
    view = interaction(page, "11-rnn", "letter_gates")
    view.get_by_test_id("word").fill("ab")
    wait_for(view, "said", "fter “ab”")
    view.get_by_test_id("picture").focus()
    press(page, "ArrowLeft")
    wait_for(view, "said", "fter “a”")
    view.get_by_test_id("down").click()
    wait_for(view, "unit", r"^\d+ of \d+$")


@pytest.mark.parametrize(
    ("chapter", "kind", "slider", "text", "values"),
    [
        (
            "06-losses",
            "logit_sliders",
            "logit-1",
            "cells",
            [0.1 * k for k in range(12)],
        ),
        ("07-optimizers", "optimizer_race", "step-slider", "SGD", range(1, 13)),
    ],
)
def test_numbers_follow_a_slider_within_50_ms(
    page, chapter, kind, slider, text, values
):
    view = interaction(page, chapter, kind)
    parts = [view.get_by_test_id(name).element_handle() for name in (slider, text)]
    times = page.evaluate(TIMES, [*parts, list(values)])
    # The machine may have other work: its quiet moments show what the page needs.
    assert sorted(times)[1] < 50, times


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_shows_every_picture(page, chapter):
    opened(page, f"chapters/{chapter}")
    sizes = "images => images.map((i) => i.complete && i.naturalWidth)"
    assert all(page.locator("main img").evaluate_all(sizes))
    wait_for_views(page)


@pytest.fixture
def narrow(page):
    """The page as on a telephone."""
    page.set_viewport_size({"width": 400, "height": 900})
    yield page
    page.set_viewport_size({"width": 1300, "height": 900})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_fits_a_narrow_window(narrow, chapter):
    opened(narrow, f"chapters/{chapter}")
    wait_for_views(narrow)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize(
    "name", ["index", "teaching", "operations", "reference/index", "reference/torch"]
)
def test_page_fits_a_narrow_window(narrow, name):
    opened(narrow, name)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 400


@pytest.mark.parametrize("slower", [1, 10])
def test_wide_output_in_a_narrow_window_is_scrolled_by_keyboard(narrow, slower):
    speed = narrow.context.new_cdp_session(narrow)
    speed.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    opened(narrow, "chapters/09-cnn")
    wait_for_views(narrow)  # a view may be narrower than its still
    narrow.wait_for_function(
        "boxes => [...document.querySelectorAll(boxes)]"
        ".every((box) => box.scrollWidth > box.clientWidth)",
        arg=SCROLLED,
        timeout=10_000,
    )
    speed.detach()  # which ends the slowness
    narrow.locator(SCROLLED).first.focus()
    narrow.keyboard.press("ArrowRight")
    narrow.wait_for_function(
        "() => document.activeElement.scrollLeft > 0", timeout=10_000
    )


def test_line_of_code_is_seen_whole_beside_the_side_bars(page):
    opened(page, "chapters/11-rnn")
    wide = page.locator("main .cell_input pre, main .cell_output pre").evaluate_all(
        "all => all.filter((pre) => pre.scrollWidth > pre.clientWidth).length"
    )
    assert wide == 0


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_folded_answer_opens_and_closes(page, chapter):
    opened(page, f"chapters/{chapter}")
    answers = page.locator("main details:has(> summary)")
    for answer in answers.all():
        if not answer.is_visible():
            continue
        before = answer.evaluate("e => e.open")
        for now in (not before, before):
            answer.locator("> summary").click()
            assert answer.evaluate("e => e.open") is now


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_picture_of_a_chapter_has_a_text_alternative(page, chapter):
    opened(page, f"chapters/{chapter}")
    pictures = page.locator("main img")
    assert all(pictures.evaluate_all("all => all.map((e) => e.alt.trim())"))


def test_dark_mode_is_chosen_in_a_menu_and_stays(page, pictures):
    opened(page, "chapters/06-losses")
    assert page.locator("html[data-theme='light']").count() == 1
    page.get_by_role("button", name="Color mode").click()
    page.locator(".theme-change-button[data-mode='dark']").click()
    opened(page, "chapters/09-cnn")
    assert page.locator("html[data-theme='dark']").count() == 1
    view = page.locator(".edutorch-conv_stepper")
    view.wait_for()
    for place in (page.locator("body"), view):
        red, *_ = re.findall(r"\d+", place.evaluate(GROUND))
        assert int(red) < 60
    page.screenshot(path=pictures / "book-dark.png")
    page.evaluate("localStorage.clear()")


def test_search_finds_a_chapter_and_a_function(page):
    opened(page, "index")
    page.keyboard.press("Control+k")
    page.keyboard.type("cross_entropy")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=cross_entropy*")
    results = page.locator("#search-results li a")
    results.filter(has_text="functional.cross_entropy").first.wait_for()
    results.filter(has_text="Losses").first.click()
    page.wait_for_url("**/chapters/06-losses.html*")


def test_previous_and_next_go_from_chapter_to_chapter(page):
    opened(page, "chapters/06-losses")
    page.locator("a.right-next").click()
    page.wait_for_url("**/chapters/07-optimizers.html")
    page.locator("a.left-prev").click()
    page.wait_for_url("**/chapters/06-losses.html")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", KINDS)
def test_page_keeps_the_rules_of_accessibility(page, name, theme, pictures):
    if not AXE.exists():
        pytest.skip("needs axe-core: npm ci in widgets/")
    page.emulate_media(color_scheme=theme)
    opened(page, name)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)  # formulas are typeset as they come into sight
    page.add_script_tag(path=AXE)
    kept, violations = page.evaluate(VIOLATIONS, list(RULES))
    assert kept > 5
    assert violations == []
    page.screenshot(path=pictures / f"book-{name.replace('/', '-')}-{theme}.png")


def test_pages_ask_nobody_and_report_no_error(page):
    assert page.requested
    assert [url for url in page.requested if not url.startswith(OWN)] == []
    assert page.problems == []
