"""What parents see of their child by a link on paper."""
