"""Do tests, intervals and sentences keep their promise? Worlds whose truth is known, and how often claims err there."""
