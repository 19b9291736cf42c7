"""Text as matching sees it: with everything levelled that people and exporters change without meaning to."""

from ragvet.text._folding import Folded, fold, fold_text, plain_typography, without_surrogates

__all__ = ["Folded", "fold", "fold_text", "plain_typography", "without_surrogates"]
