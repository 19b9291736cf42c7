"""Find out whether a retrieval-augmented assistant can be trusted, and if not, exactly where it breaks."""
