"""TL001 unused-suppression: a comment that silences a rule where it has nothing to say."""

from collections.abc import Iterator

from torchlint.findings import Hit, Suppression, hit
from torchlint.rules import suppression_rule


@suppression_rule("TL001")
def unused_suppression(comment: Suppression) -> Iterator[Hit]:
    """Yield the codes that `comment` names in vain; a comment without codes is one that we do not understand."""
    yield hit(
        comment.span,
        "<comment>",
        codes=", ".join(comment.codes),
        directive=comment.directive,
        when="default" if comment.codes else "not-understood",
    )
