"""The network link: letters from one sender to many receivers, authenticated and ordered, with gaps reported."""
