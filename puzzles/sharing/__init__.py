"""Lists and puzzles that teachers show to others by a link that ends."""
