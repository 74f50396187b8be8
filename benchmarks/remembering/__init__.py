"""How many words students learn in equal time, by how the words of a day are chosen."""
