"""The telephone's line: letters from one signer to many receivers, authenticated, in order, or with what is missing told."""
