"""The one reader of files people name: packed or not, JSON, JSON Lines, YAML, Parquet or text, strict and by place."""

from ragvet.files._json import values_of_block
from ragvet.files._opening import UNPACKED_LIMIT, head, opened
from ragvet.files._parquet import parquet_file, readable_parquet
from ragvet.files._reading import Form, form_of, plain_suffix, read_records, read_stream, require_form, scan_records
from ragvet.files._records import RawFile, RawRecord
from ragvet.files._strict import MOST_LEVELS, json_value
from ragvet.files._text import BLOCK, Block, blocks, lone_return, not_utf8, read_text

__all__ = [
    "BLOCK",
    "MOST_LEVELS",
    "UNPACKED_LIMIT",
    "Block",
    "Form",
    "RawFile",
    "RawRecord",
    "blocks",
    "form_of",
    "head",
    "json_value",
    "lone_return",
    "not_utf8",
    "opened",
    "parquet_file",
    "plain_suffix",
    "read_records",
    "read_stream",
    "read_text",
    "readable_parquet",
    "require_form",
    "scan_records",
    "values_of_block",
]
