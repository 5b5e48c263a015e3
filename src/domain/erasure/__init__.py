"""What is taken out of the record for good, and the proof of it."""
