"""This site as a tool of learning platforms (LTI 1.3): Moodle, Canvas and others.

The parts of the specification: LTI Core 1.3, 1EdTech Security Framework 1.0, Deep Linking 2.0,
Assignment and Grade Services 2.0 (AGS), Dynamic Registration 1.0. Beside each check stands the
section that asks for it.
"""
