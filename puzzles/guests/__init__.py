"""Games of guests: judged on the server, of which nothing is stored there."""
