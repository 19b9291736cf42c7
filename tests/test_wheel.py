import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        yield archive


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel):
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == {
        path.relative_to(ROOT / "src").as_posix() for path in files
    }


def test_the_demo_and_a_new_project_run_from_the_wheel_alone(wheel, tmp_path):
    wheel.extractall(tmp_path / "site")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); import ragvet; "
        "assert ragvet.__file__.startswith(sys.path[0]); "
        "from ragvet.cli import main; sys.argv = ['ragvet', *sys.argv[1:]]; main()"
    )
    for arguments, code in ((["demo", "--json"], 1), (["init", "project", "--json"], 0)):
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr


def test_the_wheel_names_its_licence_and_its_command(wheel):
    (licence,) = (name for name in wheel.namelist() if name.endswith("licenses/LICENSE"))
    assert "Apache License" in wheel.read(licence).decode()
    (points,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "ragvet = ragvet.cli:main" in wheel.read(points).decode()
