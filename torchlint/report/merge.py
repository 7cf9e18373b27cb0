"""The logs of the shards of a run -> the log of the whole run."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from torchlint.findings import Severity
from torchlint.report.contents import MergeError
from torchlint.report.sarif import CROWDED, SHOWN_RESULTS, crowding

UNUSED_SUPPRESSION = "TL001"
KEY = "torchlint/v1"

_CODES = re.compile(r"[A-Z]+\d+(?:, [A-Z]+\d+)*")
_CONFIDENCES = ("low", "medium", "high")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was read. name: for people."""

    name: str
    content: Json

    @property
    def run(self) -> Json:
        run: Json = self.content["runs"][0]
        return run

    @property
    def driver(self) -> Json:
        driver: Json = self.run["tool"]["driver"]
        return driver

    @property
    def part(self) -> Json:
        """What the log says of the shard that it is of; nothing where it is of no shard."""
        part: Json = self.run.get("properties", {})
        return part


def load_log(path: Path) -> Log:
    """The log in a file. Raises MergeError for a file that is no log of torchlint."""
    try:
        log = Log(str(path), json.loads(path.read_bytes()))
        is_ours = log.driver["name"] == "torchlint" and all(map(_order, log.run["results"]))
    except OSError as error:
        raise MergeError(f"cannot merge {path}: {(error.strerror or str(error)).lower()}") from error
    except (ValueError, LookupError, TypeError, AttributeError):
        is_ours = False
    if not is_ours:
        raise MergeError(f"cannot merge {path}: it is no SARIF log that torchlint wrote")
    return log


def merge(logs: Sequence[Log]) -> Json:
    """One log for all of `logs`: each finding once, by place, with the keys that a whole run gives.

    Raises MergeError for logs of different versions, and where a shard is missing or there twice.
    """
    _check_versions(logs)
    _check_shards(logs)
    results = _results(logs)
    notifications = _notifications(logs, len(results))
    merged = {**logs[0].run, "results": results}
    merged["invocations"] = [_invocation(logs, notifications)]
    merged.pop("properties", None)
    return {**logs[0].content, "runs": [merged]}


def write_merged(log: Json, stream: TextIO) -> None:
    """Write a log as `write_sarif` does, one result a line."""
    encode = json.JSONEncoder(separators=(",", ":")).encode
    results = log["runs"][0]["results"]
    before, after = encode({**log, "runs": [{**log["runs"][0], "results": []}]}).split('"results":[]')
    lines = ",\n".join(map(encode, results))
    stream.write(f'{before}"results":[' + (f"\n{lines}" if lines else "") + f"\n]{after}\n")


def severities(log: Json) -> Iterator[Severity]:
    """The severity of each result that nothing silences."""
    return (Severity(one["level"]) for one in log["runs"][0]["results"] if "suppressions" not in one)


def is_complete(log: Json) -> bool:
    """Whether everything was analysed."""
    return all(one.get("executionSuccessful", True) for one in log["runs"][0]["invocations"])


def _check_versions(logs: Sequence[Log]) -> None:
    first = logs[0]
    for log in logs[1:]:
        if log.driver["version"] != first.driver["version"]:
            raise MergeError(
                f"cannot merge {first.name} of torchlint {first.driver['version']} with {log.name} of "
                f"{log.driver['version']}; check all shards with one version"
            )


def _check_shards(logs: Sequence[Log]) -> None:
    by_count: dict[int, dict[int, str]] = defaultdict(dict)
    for log in logs:
        if "shard" not in log.part:
            continue
        number, count = map(int, log.part["shard"].split("/"))
        if number in by_count[count]:
            raise MergeError(f"cannot merge: {by_count[count][number]} and {log.name} are both shard {number}/{count}")
        by_count[count][number] = log.name
    if len(by_count) > 1:
        raise MergeError(f"cannot merge shards of {' and of '.join(map(str, sorted(by_count)))}: check them anew")
    for count, known in by_count.items():
        missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in known]
        if missing:
            raise MergeError(f"cannot merge: the log of shard {', '.join(missing)} is missing")


def _results(logs: Sequence[Log]) -> list[Json]:
    used = _used_elsewhere(logs)
    found: dict[tuple[Any, ...], Json] = {}
    for log in logs:
        for result in log.run["results"]:
            heard = _without_used(result, used)
            if heard is not None:
                identity = (heard["ruleId"], _place(heard), _key(heard))
                other = found.setdefault(identity, heard)
                found[identity] = max(heard, other, key=_gravity)
    results = sorted(found.values(), key=_order)
    _number(results)
    if len(results) > SHOWN_RESULTS:
        results.sort(key=lambda one: -Severity(one["level"]).rank)
    return results


def _used_elsewhere(logs: Iterable[Log]) -> Mapping[tuple[str, int, int], frozenset[str]]:
    """The codes that a comment silences in findings of other shards than its own, by the place of the comment."""
    used: dict[tuple[str, int, int], frozenset[str]] = {}
    for log in logs:
        for one in log.part.get("usedElsewhere", ()):
            place = one["uri"], one["line"], one["column"]
            used[place] = used.get(place, frozenset()) | frozenset(one["codes"])
    return used


def _without_used(result: Json, used: Mapping[tuple[str, int, int], frozenset[str]]) -> Json | None:
    """A result; one about a comment without the codes that are used after all; None where that leaves none."""
    silences = used.get(_place(result)[:3])
    if result["ruleId"] != UNUSED_SUPPRESSION or silences is None:
        return result
    text = result["message"]["text"]
    named = _CODES.search(text)
    if named is None:
        return result
    vain = [code for code in named[0].split(", ") if code not in silences]
    if not vain:
        return None
    message = {**result["message"], "text": text[: named.start()] + ", ".join(vain) + text[named.end() :]}
    return {**result, "message": message}


def _place(result: Json) -> tuple[str, int, int, int, int]:
    where = result["locations"][0]["physicalLocation"]
    region = where["region"]
    line = region["startLine"]
    ends = region.get("endLine", line), region.get("endColumn", 0)
    return where["artifactLocation"]["uri"], line, region.get("startColumn", 1), *ends


def _key(result: Json) -> str:
    """The key without the number by which the run of a shard told findings of one name apart."""
    key: str = result["partialFingerprints"][KEY]
    return key.partition("#")[0]


def _order(result: Json) -> tuple[Any, ...]:
    return _place(result), result["ruleId"], _key(result)


def _gravity(result: Json) -> tuple[Any, ...]:
    return (
        Severity(result["level"]).rank,
        _CONFIDENCES.index(result["properties"]["confidence"]),
        result["message"]["text"],
        json.dumps(result.get("relatedLocations"), sort_keys=True),
    )


def _number(results: Iterable[Json]) -> None:
    """Number the findings of one name, in order."""
    seen: dict[tuple[str, str], int] = {}
    for result in results:
        name = _place(result)[0], _key(result)
        count = seen[name] = seen.get(name, 0) + 1
        key = name[1] if count == 1 else f"{name[1]}#{count}"
        result["partialFingerprints"] = {**result["partialFingerprints"], KEY: key}


def _notifications(logs: Iterable[Log], result_count: int) -> list[Json]:
    """Each once; what was said of the number of results is said anew."""
    known: dict[str, Json] = {}
    for log in logs:
        for one in log.run["invocations"][0].get("toolExecutionNotifications", ()):
            if not one["message"]["text"].startswith(CROWDED):
                known.setdefault(json.dumps(one, sort_keys=True), one)
    crowded = ({"message": {"text": one.text}, "level": "warning"} for one in crowding(result_count))
    return [*known.values(), *crowded]


def _invocation(logs: Sequence[Log], notifications: Sequence[Json]) -> Json:
    is_successful = all(log.run["invocations"][0]["executionSuccessful"] for log in logs)
    return {**logs[0].run["invocations"][0], "executionSuccessful": is_successful} | (
        {"toolExecutionNotifications": notifications} if notifications else {}
    )
