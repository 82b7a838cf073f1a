"""What documentation shows of an output, against the output."""

import re


def join_lines(text):
    return re.sub(r"\s+", " ", text).strip()


def problem_of(output, shown, squeeze=join_lines):
    """What is wrong with an output, or None. The parts of `shown` between `...`
    must be in it, in their order; what `squeeze` removes from both is ignored."""
    text, position = squeeze(output), 0
    for part in squeeze(shown).split("..."):
        found = text.find(part.strip(), position)
        if found < 0:
            return f"expected '{part.strip()}' in\n{output}"
        position = found + len(part.strip())
    return None
