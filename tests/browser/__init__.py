"""What the tests of the report in a browser need."""
