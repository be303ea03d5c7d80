"""The keeper: keeps the lives of a game of Thirty-One at a real table. `thirtyone keeper` is its command."""
