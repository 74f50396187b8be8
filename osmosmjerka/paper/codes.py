"""QR codes on paper, by segno."""

from __future__ import annotations

from osmosmjerka.paper.shapes import Modules


def qr_code(left: float, top: float, side: float, text: str) -> Modules:
    """Return a QR code of *text*, without a quiet zone: leave four modules around it free."""
    import segno  # a library that most pages do not need

    symbol = segno.make_qr(text, error="m")
    return Modules(left, top, side, tuple(tuple(map(bool, row)) for row in symbol.matrix))
