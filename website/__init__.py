"""The pages of the documentation that are made from the package, when MkDocs builds the site (`make docs`).

A page of docs/ is written by hand. What follows from the code is added here, so that a new study, measure or option
appears by itself: `hooks.py` is what MkDocs calls, and each other file makes one kind of page.
"""
