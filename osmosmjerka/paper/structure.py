"""The structure of a PDF: what of its pages is a heading, a list, a figure (ISO 32000-1, 14.7).

Screen readers follow it instead of the places on the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from osmosmjerka.paper.lettering import is_bidirectional
from osmosmjerka.paper.objects import File, Name, Ref
from osmosmjerka.paper.shapes import Picture, Shape, Text


@dataclass(slots=True, eq=False)
class Element:
    """An element of the structure: its role, and in order of reading other elements and contents.

    A content is (index of the page, number of the marked content on it). *texts* are its lines.
    """

    role: str
    alt: str = ""
    texts: list[str] = field(default_factory=list)
    kids: list[Element | tuple[int, int]] = field(default_factory=list)


class Structure:
    """The elements of a document, in the order in which its shapes are drawn."""

    def __init__(self) -> None:
        self._document = Element("Document")
        self._last = self._document
        self._row = 0.0
        self._marked: list[list[Element]] = []  # by page and number of marked content

    def begin_page(self) -> None:
        self._marked.append([])
        if self._last.role == "Figure":  # each page has its own grid
            self._last = self._document

    def element_of(self, shape: Shape) -> Element | None:
        """Return the element that *shape* belongs to; None if it is decoration.

        Call it for the shapes of a page one after the other.
        """
        match shape:
            case Text(tag="Grid"):
                self._add_to_grid(shape)
            case Text(tag="L"):
                self._begin_item()
            case Text(tag="+") if self._last is not self._document:
                pass
            case Text():
                self._last = _begin(self._document, shape.tag.strip("+") or "P")
            case Picture() if shape.alt:
                # A picture belongs to its item; otherwise it stands by itself.
                around = self._last if self._last.role == "LBody" else self._document
                return _begin(around, "Figure", shape.alt)
            case _:
                return None
        if shape.tag != "Grid":
            self._last.texts.append(shape.text)
        return self._last

    def _add_to_grid(self, letter: Text) -> None:
        """Tell the letters row by row."""
        if self._last.role != "Figure":
            self._last = _begin(self._document, "Figure")
        elif self._row != letter.y:
            self._last.alt += "\n"
        self._row = letter.y
        self._last.alt += f"{letter.text} "

    def _begin_item(self) -> None:
        kids = self._document.kids
        around = kids[-1] if kids else None
        if not isinstance(around, Element) or around.role != "L":
            around = _begin(self._document, "L")
        self._last = _begin(_begin(around, "LI"), "LBody")

    def mark(self, element: Element) -> int:
        """Return the number of the next marked content of the page, which is of *element*."""
        on_page = self._marked[-1]
        element.kids.append((len(self._marked) - 1, len(on_page)))
        on_page.append(element)
        return len(on_page) - 1

    def write(self, file: File, pages: list[Ref]) -> Ref:
        """Add the tree to *file*; the dictionary of page n has /StructParents n."""
        root = file.reserve()
        refs: dict[Element, Ref] = {}
        document = _write(self._document, root, file, pages, refs)
        by_page: list[Any] = []
        for index, elements in enumerate(self._marked):
            by_page += [index, [refs[element] for element in elements]]
        file.set(
            root,
            {
                "Type": Name("StructTreeRoot"),
                "K": [document],
                "ParentTree": file.add({"Nums": by_page}),
                "ParentTreeNextKey": len(self._marked),
            },
        )
        return root


def _begin(around: Element, role: str, alt: str = "") -> Element:
    element = Element(role, alt)
    around.kids.append(element)
    return element


def _write(
    element: Element, parent: Ref, file: File, pages: list[Ref], refs: dict[Element, Ref]
) -> Ref:
    refs[element] = ref = file.reserve()
    kids: list[Any] = []
    for kid in element.kids:
        if isinstance(kid, Element):
            kids.append(_write(kid, ref, file, pages, refs))
        else:
            page, number = kid
            kids.append({"Type": Name("MCR"), "Pg": pages[page], "MCID": number})
    about: dict[str, Any] = {"Type": Name("StructElem"), "S": Name(element.role), "P": parent}
    if element.alt:
        about["Alt"] = element.alt.strip()
    # From right to left, shapes tell letters in the wrong order and vowels not at all.
    text = " ".join(element.texts)
    if is_bidirectional(text):
        about["ActualText"] = text
    file.set(ref, {**about, "K": kids})
    return ref
