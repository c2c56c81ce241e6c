"""What does not hold in BTT18a as it is printed, one cause a file. The arXiv text has no pages: a place is a section's."""
