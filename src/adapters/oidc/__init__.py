"""OpenID Connect: discovery, keys, tokens and the authorization code flow."""
