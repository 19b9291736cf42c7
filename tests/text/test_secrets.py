"""Secrets are masked in whatever form a server echoes them."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest

from ragvet.text import Secrets

KEY = 's3cret/va+lue"<1>é='
ECHOES = {
    "as it is": KEY,
    "in capitals": KEY.upper(),
    "in JSON": json.dumps({"sent": KEY}),
    "in JSON in JSON": json.dumps(json.dumps(KEY)),
    "in JSON of other tongues": json.dumps(KEY, ensure_ascii=False).replace("/", "\\/"),
    "in HTML": html.escape(KEY),
    "in a query": f"?key={quote(KEY, safe='')}&k=1",
    "in a query, lower case": quote(KEY, safe="").lower(),
    "in a form": f"key={quote_plus(KEY)}",
    "in hexadecimal": KEY.encode().hex(),
    "in base64": base64.b64encode(KEY.encode()).decode(),
    "in base64 of URLs": base64.urlsafe_b64encode(f"?{KEY}".encode()).decode(),
    "behind a user": base64.b64encode(f"me:{KEY}".encode()).decode(),
    "behind a longer user": base64.b64encode(f"ann:{KEY}!".encode()).decode(),
}


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_a_secret_is_masked_in_every_form_it_may_come_back_in(echo):
    masked = Secrets([f"Bearer {KEY}"]).masked(f"before {echo} after")
    assert masked.startswith("before ")
    assert masked.endswith(" after")
    assert "***" in masked
    assert "s3cret" not in masked.casefold()
    assert KEY.encode().hex()[4:20] not in masked
    assert not any(base64.b64encode(b"x" * n + KEY.encode()).decode()[4:16] in masked for n in range(3))


def test_a_password_is_masked_apart_from_the_user_it_was_sent_with():
    sent = "Basic " + base64.b64encode(b"ann:pa55word").decode()
    assert Secrets([sent]).masked("ann:pa55word, pa55word, ann") == "***, ***, ann"


def test_values_of_a_cookie_are_masked_one_by_one():
    assert Secrets(["session=abcdef123456; theme=dark"]).masked("abcdef123456 is dark") == "*** is dark"


def test_ordinary_text_is_left_alone():
    secrets = Secrets(["de", "EMPTY", "4711", "hunter2", "", "Bearer abcdef123456"])
    text = "The bearer of a delayed, empty order 4711: hunter22, abcdef 123456."
    assert secrets.masked(text) == text
    assert Secrets([]).masked(text) == text


def test_long_forms_do_not_hide_short_ones():
    secrets = Secrets(["Bearer s3cret/value", "s3cret/value/long", "a-1"])
    assert secrets.masked("S3CRET/value/long, Bearer s3cret/value; a-1 s3cret%2Fvalue") == "***, ***; a-1 ***"


def test_a_json_value_keeps_its_shape_and_loses_the_secret():
    value = {"12345678": [None, True, 1.5, 12345678, "key 12345678"], "other": {"a": "b"}}
    assert Secrets(["12345678"]).masked_json(value) == {
        "***": [None, True, 1.5, "***", "key ***"],
        "other": {"a": "b"},
    }
