-- Old idempotency keys are found and forgotten without a look at all of them.
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
