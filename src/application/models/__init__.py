"""Calling paid models: retry, limits, validation and metering, whatever the transport."""
