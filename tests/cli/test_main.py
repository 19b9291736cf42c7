import pytest

from ragvet import cli
from ragvet.errors import InputError, Problem, RagvetError


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (InputError(Problem("golden.json", "nothing", "cases", "Add some.")), 2, "golden.json: found nothing"),
        (RagvetError("the run is locked"), 2, "error: the run is locked"),
        (ZeroDivisionError("division by zero"), 2, "this is a fault in ragvet"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_no_error_leaves_with_the_exit_code_of_a_failed_gate(monkeypatch, capsys, fault, code, said):
    def broken() -> None:
        raise fault

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == code
    assert said in capsys.readouterr().err
