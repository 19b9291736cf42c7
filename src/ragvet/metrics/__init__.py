"""What the numbers are: retrieval metrics over batches of rankings, answer metrics over judged facts."""
