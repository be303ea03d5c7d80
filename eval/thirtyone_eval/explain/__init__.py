"""`thirtyone explain`: what a policy does, read from its decisions."""
