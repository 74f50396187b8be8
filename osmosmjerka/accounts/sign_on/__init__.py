"""Sign in with the school's account (OpenID Connect Core 1.0), by Authlib and joserfc."""
