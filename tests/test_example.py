"""The example of the README has the findings that the README speaks of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[1] / "docs" / "example"


def test_the_example_has_one_finding_of_each_of_five_rules(torchlint: Callable[..., Any]) -> None:
    done = torchlint("check", str(EXAMPLE), "--isolated", "--output-format", "json")
    codes = sorted(finding["code"] for finding in json.loads(done.out)["findings"])
    assert codes == ["TL101", "TL103", "TL201", "TL301", "TL401"]
