"""Independent, slow and obvious implementations that tests compare with."""
