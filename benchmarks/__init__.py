"""One command for each figure, compared with a peer or a baseline in the same run."""

from puzzles.generators import drop_stale_cache

drop_stale_cache()  # an edited generator is measured as it is now
