"""State as a whole: state_dict(), what is kept of it, averages, and conversions over all of it."""
