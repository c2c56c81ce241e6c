"""What does not hold as printed in BTT18, one file a cause; the same cause in BTT18a is quoted beside it."""
