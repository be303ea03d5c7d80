"""`thirtyone study`: the small science of the game, each question with its command, its plot and its intervals."""
