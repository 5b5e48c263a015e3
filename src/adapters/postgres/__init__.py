"""The record: PostgreSQL with pgvector and pg_trgm."""
