"""A small documentation assistant, its corpus, golden set and policy: what `ragvet demo` evaluates."""

from ragvet.demo._assistant import answer
from ragvet.demo._project import FOLDER, write_project
from ragvet.demo._story import tell

__all__ = ["FOLDER", "answer", "tell", "write_project"]
