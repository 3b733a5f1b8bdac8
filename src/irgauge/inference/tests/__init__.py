"""Tests of pairs of systems, a file each: a function that gives a Comparison, and a record that says all about it."""
