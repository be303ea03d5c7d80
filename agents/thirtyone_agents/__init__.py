"""Policies that play Thirty-One."""
