"""Files of this program, on disk or in an object store: named, read, written whole, and known as its own."""
