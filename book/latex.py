"""Formulas of docstrings as LaTeX, for MathJax to typeset.

Docstrings hold formulas as plain text with Unicode signs, which a debugger can show.
`latex` reads such a line from left to right: letters and numbers with what is attached
to them (indices, exponents, primes, brackets) are atoms; `/` between two atoms becomes
a fraction; words stay words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["latex"]

SIGNS = {
    "·": r"\cdot", "−": "-", "×": r"\times", "±": r"\pm", "∓": r"\mp", "≤": r"\le",
    "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∝": r"\propto", "←": r"\leftarrow",
    "∧": r"\wedge", "∨": r"\vee", "∪": r"\cup", "⊕": r"\oplus", "⋆": r"\star",
    "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to", "<-": r"\leftarrow",
    "...": r"\ldots", "..": r"\ldots", "⋯": r"\cdots", "~": r"\sim", "%": r"\%",
    "&": r"\mathbin{\&}", "|": r"\mid", "<": "<", ">": ">", ":": "{:}", "#": r"\#",
    "«": r"\ll", "∈": r"\in", "\\": r"\setminus", "@": "@", "$": r"\$", '"': "''",
    "?": "?", "**": r"\mathbin{**}", "//": r"\mathbin{//}",
}  # fmt: skip
# Signs that replace or precede a letter.
LETTERS = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "ε": r"\varepsilon", "ζ": r"\zeta",
    "η": r"\eta", "θ": r"\theta", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu",
    "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma",
    "τ": r"\tau", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "δ": r"\delta", "Γ": r"\Gamma", "Δ": r"\Delta", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega", "∇": r"\nabla", "∞": r"\infty", "½": r"\tfrac{1}{2}",
    "Σ": r"\sum", "Π": r"\prod", "∫": r"\int", "∃": r"\exists", "∂": r"\partial",
}  # fmt: skip
PREFIXES = {"Σ", "Π", "∫", "∂", "∇", "∃"}  # no atom by themselves
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵏᵃᵇᵗˣˢᵖ", "0123456789+-()nkabtxsp", strict=True))
RAISED |= {"ᵀ": r"\top ", "ᴴ": r"\mathsf{H} ", "′": r"\prime "}
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ᵢⱼₖₗₘₙₚₜₓ", "0123456789+-()ijklmnptx", strict=True))
ACCENTS = {"\u0302": "hat", "\u0304": "bar", "\u0307": "dot", "\u0303": "tilde"}
BRACKETS = {
    "(": (")", "(", ")"), "[": ("]", "[", "]"), "{": ("}", r"\{", r"\}"),
    "|": ("|", r"\lvert ", r"\rvert "), "‖": ("‖", r"\lVert ", r"\rVert "),
    "⌊": ("⌋", r"\lfloor ", r"\rfloor "), "⌈": ("⌉", r"\lceil ", r"\rceil "),
}  # fmt: skip
MIRRORED = ("|", "‖")  # the same sign opens and closes
KNOWN = {  # LaTeX's own names
    name: rf"\{name}"
    for name in ("exp", "log", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh",
                 "max", "min", "det")
}  # fmt: skip
FUNCTIONS = {
    "asin", "acos", "atan", "asinh", "acosh", "atanh", "log2", "diag", "sgn", "sign",
    "Re", "Im", "tr", "conj", "softmax", "digamma", "clamp", "rms", "erf",
}  # fmt: skip
SHORT_WORDS = {
    "an", "as", "at", "be", "by", "do", "if", "in", "is", "it", "no", "of", "on", "or",
    "so", "to", "we",
}  # fmt: skip
TOKENS = re.compile(
    r"(?P<space>\s+)|(?P<code>`[^`]*`)|(?P<number>\d+(?:\.\d+)?)"
    rf"|(?P<raised>[{re.escape(''.join(RAISED))}]+)"
    rf"|(?P<lowered>[{re.escape(''.join(LOWERED))}]+)"
    r"|(?P<name>[A-Za-z]{2,}(?:_[A-Za-z]{2,})+|[A-Za-z]{2,}(?:-[A-Za-z]{2,})+)"
    r"|(?P<word>[A-Za-z]+\d*)"
    r"|(?P<sign>\.\.\.|\.\.|<=|>=|!=|->|<-|\*\*|//|.)"
)


class UnreadableError(ValueError):
    """A line that is no formula."""


@dataclass
class Item:
    """A part of a formula.

    Attributes:
        text: LaTeX.
        kind: "atom", "sign", "text" (words) or "prefix" (a sum, a product).
        spaced: whether a space precedes it.
        inner: of an atom in round brackets, what is between them.
    """

    text: str
    kind: str
    spaced: bool = False
    inner: str = ""


def latex(line: str) -> str | None:
    """The LaTeX of a line; None where it has words alone, or brackets without a mate.

    Example:
        >>> latex("y = √(x² + 1) / n")
        'y = \\\\frac{\\\\sqrt{x^{2} + 1}}{n}'
    """
    try:
        items = _Reader(line).items("")
    except UnreadableError:
        return None
    plain = all(i.kind == "text" or i.text in (",", ".", ";") for i in items)
    return None if plain else _joined(items)


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, line: str) -> None:
        line = "".join(map(_without_accent, line))
        self.tokens = [
            (m.lastgroup or "", m.group())
            for m in TOKENS.finditer(_with_quotes_as_code(line))
        ]
        self.at = 0
        self.small = 0  # how many indices and exponents are around: no fractions there

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        """The next token, or one after it."""
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def take(self) -> tuple[str, str]:
        """The next token, which is used up."""
        token = self.peek()
        self.at += 1
        return token

    def items(self, close: str) -> list[Item]:
        """The formula before a closing bracket, or before the end."""
        found: list[Item] = []
        spaced = False
        while True:
            kind, text = self.peek()
            if text == close and not (spaced and close in MIRRORED):
                break
            if (close, text) == ("]", ")"):  # [0, 1)
                break
            if kind == "end":
                raise UnreadableError(close)
            if kind == "space":
                self.at += 1
                spaced = True
                continue
            item = self.item()
            item.spaced = spaced
            found.append(item)
            spaced = False
        self.at += bool(close)
        return found if self.small else _with_fractions(found)

    def item(self) -> Item:
        """One part, with what is attached to it."""
        kind, text = self.peek()
        if text in LETTERS and text in PREFIXES:
            return self.prefix()
        if kind == "code":
            self.at += 1
            return Item(rf"\texttt{{{_escaped(text[1:-1])}}}", "text")
        if kind == "name" and self.peek(1)[1] not in ("(", "["):
            self.at += 1
            return Item(rf"\text{{{_escaped(text)}}}", "text")
        if kind == "word" and _is_prose(text, self.peek(1)[1]):
            self.at += 1
            return Item(rf"\text{{{text}}}", "text")
        if self.begins_atom():
            return self.attached(self.atom())
        self.at += 1
        if text in ")]}⌋⌉":
            raise UnreadableError(text)
        if kind in ("raised", "lowered"):
            return Item("{}" + _scripts(kind, text), "atom")
        return Item(SIGNS.get(text, text), "sign")

    def begins_atom(self) -> bool:
        """Whether the next token is a letter, a number, a root or a bracket."""
        kind, text = self.peek()
        if text in MIRRORED:
            return self.peek(1)[0] not in ("space", "end")
        return (
            kind in ("word", "name", "number")
            or text in LETTERS
            or text in (*BRACKETS, "√")
        )

    def atom(self) -> Item:
        """A letter, a name, a number, a root, or what is in brackets."""
        kind, text = self.take()
        if text == "√":
            inner = self.atom()
            return Item(rf"\sqrt{{{inner.inner or inner.text}}}", "atom")
        if text in BRACKETS:
            close, left, right = BRACKETS[text]
            inside = _joined(self.items(close))
            if self.tokens[self.at - 1][1] == ")":
                right = ")"
            if r"\frac" in inside:
                left, right = rf"\left{left}", rf"\right{right}"
            return Item(f"{left}{inside}{right}", "atom", inner=inside * (text == "("))
        if kind == "number":
            return Item(text, "atom")
        if text in LETTERS:
            return Item(LETTERS[text], "atom")
        return Item(_name(text, self.peek()[1]), "atom")

    def prefix(self) -> Item:
        """A sum or a product with its limits; a derivative with its letter."""
        _, text = self.take()
        head = self.attached(Item(LETTERS[text], "prefix"))
        if text == "∂" and self.begins_atom():
            inner = self.attached(self.atom())
            return Item(f"{head.text} {inner.text}", "atom")
        return Item(head.text, "prefix")

    def attached(self, item: Item) -> Item:
        """An item with its accents, indices, exponents, primes and arguments."""
        base, below, above, inner = item.text, "", "", item.inner
        while True:
            kind, text = self.peek()
            if text in ACCENTS:
                self.at += 1
                base = rf"\{ACCENTS[text]}{{{base}}}"
            elif kind == "lowered" or (text == "_" and self.peek(1)[0] != "space"):
                if below or above:
                    base, below, above = f"{{{base}{below}{above}}}", "", ""
                below = self.script("lowered", "_")
            elif kind == "raised" or (text == "^" and self.peek(1)[0] != "space"):
                if above and not above.endswith(r"\prime}"):
                    base, below, above = f"{{{base}{below}{above}}}", "", ""
                script = self.script("raised", "^")
                above = f"{above[:-1]} {script[2:]}" if above else script
            elif text == "'" and item.kind == "atom":
                self.at += 1
                above = f"^{{{above[2:-1]}\\prime}}"
            elif text in ("(", "[") and item.kind == "atom":
                base = f"{base}{below}{above}{self.atom().text}"
                below = above = ""
            else:
                return Item(f"{base}{below}{above}", item.kind, inner=inner)
            inner = ""

    def script(self, kind: str, sign: str) -> str:
        """An index or an exponent: raised or lowered signs, or what follows ^ or _."""
        found, text = self.take()
        if found == kind:
            return _scripts(kind, text)
        lead = ""
        while self.peek()[1] in ("-", "+", "−"):
            lead += self.take()[1].replace("−", "-")
        if not self.begins_atom():
            raise UnreadableError(text)
        word, name = self.peek()
        if sign == "_" and word == "word" and len(name) > 1:
            self.at += 1
            return rf"_{{\text{{{name}}}}}"
        self.small += 1
        inner = self.atom()
        deeper = ""
        if sign == "^" and self.peek()[1] == "[" and name.isalpha():  # e^x[j]
            deeper = self.atom().text
        elif self.peek()[1] == "_" or self.peek()[0] in ("lowered", "raised"):
            deeper = self.script(
                "raised" if self.peek()[0] == "raised" else "lowered", "_"
            )
        self.small -= 1
        return f"{sign}{{{lead}{inner.inner or inner.text}{deeper}}}"


def _without_accent(sign: str) -> str:
    """A letter and its accent apart; other signs as they are."""
    parts = unicodedata.normalize("NFD", sign)
    return parts if parts[-1] in ACCENTS else sign


def _with_quotes_as_code(line: str) -> str:
    return re.sub(r'"([\w ]+)"', r"`\1`", line)


def _escaped(text: str) -> str:
    return re.sub(r"([_#%&${}])", r"\\\1", text).replace("^", r"\^{}")


def _scripts(kind: str, text: str) -> str:
    """A run of raised or lowered signs."""
    signs = RAISED if kind == "raised" else LOWERED
    inside = "".join(signs[c] for c in text).strip()
    return f"{'^' if kind == 'raised' else '_'}{{{inside}}}"


def _is_prose(word: str, after: str) -> bool:
    """Whether a word is complete: nothing is attached to it."""
    if after in ("(", "[", "_", "^", "'") or len(word) == 1 or word[-1].isdigit():
        return False
    if word in KNOWN or word in FUNCTIONS:
        return False
    return len(word) > 2 or word.lower() in SHORT_WORDS


def _name(word: str, after: str) -> str:
    """A name in a formula: of a variable, or of a function."""
    if word in KNOWN:
        return KNOWN[word]
    if len(word) == 1:
        return word
    if re.fullmatch(r"[A-Za-z]\d+", word) and after != "(":
        return f"{word[0]}_{{{word[1:]}}}"
    if word in FUNCTIONS or after == "(":
        return rf"\operatorname{{{_escaped(word)}}}"
    return rf"\mathit{{{word}}}" if len(word) == 2 else rf"\text{{{_escaped(word)}}}"


def _with_fractions(items: Sequence[Item]) -> list[Item]:
    """`/` between two atoms as a fraction, if no other atom is multiplied by either."""
    found: list[Item] = []
    at = 0
    while at < len(items):
        item = items[at]
        if item.text == "/" and _is_fraction(found, items, at):
            above, below = found.pop(), items[at + 1]
            parts = [part.inner or part.text for part in (above, below)]
            fraction = rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
            found.append(Item(fraction, "atom", above.spaced))
            at += 2
            continue
        found.append(item)
        at += 1
    return found


def _is_fraction(before: Sequence[Item], items: Sequence[Item], at: int) -> bool:
    after = items[at + 1 : at + 3]
    if not before or not after or before[-1].kind != "atom" or after[0].kind != "atom":
        return False
    if not (items[at].spaced or after[0].spaced):  # a/b: the nearest two
        return True
    factor = len(before) > 1 and before[-2].kind in ("atom", "prefix")
    return not factor and (len(after) == 1 or after[1].kind not in ("atom", "prefix"))


def _joined(items: Sequence[Item]) -> str:
    """The LaTeX of all, with the spaces that words and factors need."""
    text = ""
    last = Item("", "sign")
    for item in items:
        text += _space(last, item) if text else ""
        text += item.text
        last = item
    return text.strip()


def _space(last: Item, item: Item) -> str:
    """The text between two parts."""
    if item.spaced:
        if last.text in (",", ";", ".", "{:}"):
            return r"\ "
        if "text" in (item.kind, last.kind) and "sign" not in (item.kind, last.kind):
            return r"\ "
        if item.kind == last.kind == "atom" and last.text not in KNOWN.values():
            return r"\,"
        return " "
    return " " * bool(re.search(r"\\[A-Za-z]+$", last.text))
