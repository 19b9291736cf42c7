"""A small documentation assistant, its corpus, golden set and policy: what `ragvet demo` evaluates."""

from ragvet.demo._assistant import answer

__all__ = ["answer"]
