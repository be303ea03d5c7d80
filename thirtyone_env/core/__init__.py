"""The rules core: plain functions over integer arrays, compiled for every use. `entry` is what Python calls."""
