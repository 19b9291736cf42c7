"""Text: as matching sees it, whatever people and exporters did to its form, and as messages show it."""

from ragvet.text._folding import Folded, fold, fold_text, plain_typography, without_surrogates
from ragvet.text._ids import canonical_id
from ragvet.text._secrets import Secrets
from ragvet.text._wording import nearest, plain, plural, shown, xml_text

__all__ = [
    "Folded",
    "Secrets",
    "canonical_id",
    "fold",
    "fold_text",
    "nearest",
    "plain",
    "plain_typography",
    "plural",
    "shown",
    "without_surrogates",
    "xml_text",
]
