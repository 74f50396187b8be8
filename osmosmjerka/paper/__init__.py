"""Pages of paper: shapes in millimetres, fonts for every script, and PDF. Pure.

Puzzles, cards and word lists are drawn with it. `sheet` collects the `shapes` of a page.
`typefaces` finds the fonts, and `lettering` the shapes of letters and the widths of texts. `pdf`
writes pages as a file: `objects` are what a file is made of, `embedding` the parts of fonts in it,
`structure` what a screen reader is told.
"""
