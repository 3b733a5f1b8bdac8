"""Parts of a report that are of no single study, each a module with what the section of a study has."""
