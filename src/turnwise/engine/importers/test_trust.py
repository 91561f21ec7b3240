"""Files of strangers are data: nothing in them is run, unpickled, or followed as a path."""

import ast
import json
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.registry import IMPORTERS
from turnwise.engine.discovery import discover
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import open_transcripts

HERE = Path(__file__).parent
FORBIDDEN_MODULES = {
    "pickle",
    "cPickle",
    "marshal",
    "shelve",
    "dill",
    "joblib",
    "subprocess",
    "ctypes",
    "runpy",
    "yaml",
}
FORBIDDEN_MODULES |= {"urllib", "http", "socket", "requests", "httpx", "tarfile", "shutil"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "import_module", "literal_eval"}
WATCHED = ("open", "subprocess.Popen", "os.system", "pickle.find_class", "socket.connect")


class _Watch:
    """Notes what is opened or run while it is on; an audit hook stays for good, so it is switched, not removed."""

    def __init__(self) -> None:
        self.on = self.hooked = False
        self.seen: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event in WATCHED:
            self.seen.append(str(arguments[0]) if event == "open" else event)

    @contextmanager
    def watching(self) -> Iterator[list[str]]:
        if not self.hooked:
            sys.addaudithook(self)
            self.hooked = True
        self.seen.clear()
        self.on = True
        try:
            yield self.seen
        finally:
            self.on = False


_WATCH = _Watch()


def test_no_importer_can_run_or_unpickle_anything() -> None:
    files = [path for path in HERE.glob("*.py") if not path.name.startswith("test_")]
    assert len(files) > 15
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [x.name for x in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not {x.partition(".")[0] for x in names} & FORBIDDEN_MODULES, f"{path.name}: {names}"
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                regex = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re"
                assert regex or called not in FORBIDDEN_CALLS, f"{path.name}:{node.lineno}: {called}"


@pytest.fixture
def bait(tmp_path: Path) -> Path:
    bait = tmp_path / "bait.txt"
    bait.write_text("Therapist: you followed me\nPatient: no\n")
    return bait


def _with_paths(bait: Path) -> dict[str, Any]:
    parts = [
        {"type": "text", "text": f"see {bait}"},
        {"type": "image_url", "image_url": {"url": bait.as_uri()}},
        {"type": "file", "file": {"path": str(bait)}},
    ]
    link = {"$ref": str(bait), "include": str(bait), "path": str(bait)}
    turns = [{"role": "user", "content": str(bait), **link}, {"role": "assistant", "content": f"@{bait}"}]
    return {
        "openai_chat": {"messages": [{"role": "user", "content": parts}, turns[1]], **link},
        "sharegpt": {"conversations": [{"from": "human", "value": str(bait), "image": str(bait)}], **link},
        "sage": {"id": str(bait), "emo_point": 1, "history": turns, "scene": bait.as_uri()},
        "mindeval": {"member_profile": link, "interaction": turns},
        "patienthub": {"profile": str(bait), "messages": [{"role": "client", "content": str(bait)}]},
        "turnwise_jsonl": {"id": f"../../{bait}", "turns": [{"speaker": "client", "text": str(bait), **link}]},
    }


@pytest.mark.parametrize("name", ["openai_chat", "sharegpt", "sage", "mindeval", "patienthub", "turnwise_jsonl"])
def test_paths_inside_a_file_are_never_followed(tmp_path: Path, bait: Path, name: str) -> None:
    path = tmp_path / "given"
    path.write_text(json.dumps(_with_paths(bait)[name]) + "\n")
    list(open_transcripts(path, name))  # whatever is loaded at the first use is loaded now
    with _WATCH.watching() as seen:
        (t,) = open_transcripts(path, name)
    assert t.ending == "unknown"
    assert set(seen) == {str(path)}


def test_text_and_tables_are_not_followed_either(tmp_path: Path, bait: Path) -> None:
    text = tmp_path / "talk.txt"
    text.write_text(f"T: #include {bait}\nC: {bait.as_uri()}\n")
    table = tmp_path / "t.csv"
    table.write_text(f'speaker,text\nclient,"=HYPERLINK(""{bait}"")"\n')
    for path in (text, table):
        list(open_transcripts(path))
        with _WATCH.watching() as seen:
            (t,) = open_transcripts(path)
        assert set(seen) == {str(path)}
        assert str(bait) in t.turns[0].text


class _Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return (exec, ("raise SystemError('unpickled')",))


def test_pickles_beside_a_corpus_stay_shut(tmp_path: Path) -> None:
    (tmp_path / "parsed-bin.p").write_bytes(pickle.dumps([_Bomb()]))
    said = {"id": "u", "conversation_id": "c", "speaker": "client", "text": "x", "meta": {"parsed": "<##bin{0}&&@**>"}}
    (tmp_path / "utterances.jsonl").write_text(json.dumps(said) + "\n")
    account = Account()
    with _WATCH.watching() as seen:
        (t,) = open_transcripts(tmp_path, account=account)
    assert not [x for x in seen if x.endswith("parsed-bin.p") or x == "pickle.find_class"]
    assert t.infos[0]["meta"] == {"parsed": "<##bin{0}&&@**>"}
    assert account.losses["values that lie in a pickle beside the corpus, which is never opened"].n == 1


def test_pickle_given_as_transcripts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sessions.pkl"
    path.write_bytes(pickle.dumps([_Bomb()]))
    discover("turnwise.engine.importers", third_parties=False)
    with _WATCH.watching() as seen:
        for entry in IMPORTERS.newest():
            if entry.name == "inspect_log.v1" and find_spec("inspect_ai") is None:
                continue
            with pytest.raises(Exception, match=r"sessions\.pkl"):
                list(open_transcripts(path, entry.name))
    assert "pickle.find_class" not in seen


def test_the_watch_itself_sees(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(pickle.dumps(Path("y")))
    with _WATCH.watching() as seen:
        pickle.loads((tmp_path / "x").read_bytes())
    assert {str(tmp_path / "x"), "pickle.find_class"} <= set(seen)
