"""What the numbers are: retrieval metrics over batches of rankings, answer metrics over judged facts."""

from ragvet.metrics._elsewhere import counterpart

__all__ = ["counterpart"]
