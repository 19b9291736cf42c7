"""YAML lists, or mappings with the records under one key: safe, strict about keys, with the line of every record."""

from __future__ import annotations

from typing import Any, cast

import yaml

from ragvet.files._records import RawFile
from ragvet.files._strict import MOST_LEVELS, TooDeep
from ragvet.text import shown

_MOST_VALUES = 20_000_000
"""More values than any hand-written file expands to; a few nested aliases can ask for billions."""

_TEXT_TAGS = frozenset({"tag:yaml.org,2002:str", "tag:yaml.org,2002:timestamp"})
"""Dates stay text here, as in JSON; the field that expects a day reads them."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _TooMany(Exception):
    """Aliases stand for more values than can be meant; the message names the line."""


class _Values:
    """Turns composed nodes into plain values; every node is turned once, however many aliases point to it."""

    def __init__(self, loader: Any, file: RawFile) -> None:
        self._loader = loader
        self._file = file
        self._done: dict[int, tuple[Any, int]] = {}
        self._open: set[int] = set()

    def of(self, node: yaml.Node) -> tuple[Any, int]:
        """The node's value and how many values it stands for with all aliases written out."""
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node), 1
        known = self._done.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            self._fault("an alias inside the value it stands for", node)
            return None, 1
        self._open.add(id(node))
        if len(self._open) > MOST_LEVELS:
            raise TooDeep
        result = self._sequence(node) if isinstance(node, yaml.SequenceNode) else self._mapping(node)
        self._open.discard(id(node))
        if result[1] > _MOST_VALUES:
            raise _TooMany(f"line {_line(node)}")
        self._done[id(node)] = result
        return result

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if node.tag in _TEXT_TAGS:
            return node.value
        try:
            return self._loader.construct_object(node)
        except (yaml.YAMLError, ValueError):
            self._fault(f"{shown(node.value)}, which is no {node.tag.removeprefix('tag:yaml.org,2002:')}", node)
            return None

    def _sequence(self, node: yaml.SequenceNode) -> tuple[list[Any], int]:
        pairs = [self.of(item) for item in node.value]
        return [value for value, _ in pairs], 1 + sum(size for _, size in pairs)

    def _mapping(self, node: Any) -> tuple[dict[str, Any], int]:
        fields: dict[str, Any] = {}
        total = 1
        for key_node, value_node in node.value:
            key = self._key(key_node)
            if key in fields:
                self._fault(f"the key {key!r} twice in one mapping", key_node)
            fields[key], size = self.of(value_node)
            total += size
        return fields, total

    def _key(self, node: yaml.Node) -> str:
        if isinstance(node, yaml.ScalarNode):
            return node.value
        self._fault("a list or mapping as a key", node)
        return ""

    def _fault(self, found: str, node: yaml.Node) -> None:
        self._file.problem(found, "plain values, each under a name of its own", "Correct it.", f"line {_line(node)}")


def _line(node: yaml.Node) -> int:
    return node.start_mark.line + 1


def read_yaml(text: str, file: RawFile, records_key: str | None) -> None:
    """Read a YAML list of records, or a mapping with the records under `records_key`, into `file`."""
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            file.problem("an empty document", "a list of records", "Write the records.")
            return
        _read_root(root, _Values(loader, file), file, records_key)
    except _TooMany as place:
        file.problem("aliases for too many values", f"at most {_MOST_VALUES:,}", "Write them out plainly.", str(place))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = ", ".join(part for part in (f"no valid YAML: {error.problem}", error.context) if part)
        place = f"line {mark.line + 1}" if mark else None
        file.problem(what, "one valid YAML document", "Correct the YAML there.", place)
    except yaml.YAMLError as error:
        file.problem(" ".join(str(error).split()), "valid YAML", "Remove the characters YAML does not allow.")
    except TooDeep as deep:
        file.problem(str(deep), "records a few levels deep", "Flatten the records.")
    finally:
        loader.dispose()


def _read_root(root: Any, values: _Values, file: RawFile, records_key: str | None) -> None:
    if isinstance(root, yaml.SequenceNode):
        _read_list(root, values, file)
    elif isinstance(root, yaml.MappingNode):
        keys: set[str] = set()
        for key_node, value_node in cast("list[tuple[Any, Any]]", root.value):
            key = str(key_node.value)
            if key in keys:
                place = f"line {_line(key_node)}"
                file.problem(f"the key {key!r} twice", "each key once", "Remove one of them.", place)
            keys.add(key)
            if key == records_key and isinstance(value_node, yaml.SequenceNode):
                _read_list(value_node, values, file)
            else:
                file.header[key] = values.of(value_node)[0]
    else:
        form = "a mapping" if records_key is None else f"{records_key}: and a list"
        file.problem(f"{shown(root.value)} at the top", "a list of records", f"Write a list, or {form}.")


def _read_list(node: yaml.SequenceNode, values: _Values, file: RawFile) -> None:
    for item in node.value:
        file.add(values.of(item)[0], _line(item))
