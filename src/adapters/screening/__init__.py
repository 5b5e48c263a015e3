"""Finding secrets and personal data by their form and their check digits."""
