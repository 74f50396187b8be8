"""A class's puzzle of the day: one for all, whose result is shared without telling answers."""
