"""All questions on one page: every study on one bench, and the page, the bundle and the results that come of it."""
