"""The worker: takes jobs out of the outbox, lane by lane, and sweeps up what was left lying."""
