"""What the reader knows while it stands in one function: its variables, its regions, and the events so far."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from torchlint.model.events import Event, Region, RegionKind
from torchlint.model.facts import Function
from torchlint.model.terms import (
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Place,
    Term,
    Unknown,
    children,
)

Known = dict[tuple[int, str], Term]
Changes = set[int | tuple[int, str] | None]

# What all the world calls so, and the packages that call other things so.
_USUAL = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim", "np": "numpy"}
_OTHER_WORLDS = frozenset("tensorflow keras jax flax haiku mxnet paddle chainer mindspore theano sympy".split())

# Past these, a value is "not known": deep terms cost recursion in evaluation and in pickle, and no rule reads that far.
_BINDINGS_BEFORE_MEASURING = 30
_DEPTH_LIMIT = 60
_REACH = 3


def usual_names(star_imports: Iterable[str], bound: Container[str] = ()) -> dict[str, str]:
    """What names that nothing binds stand for in a file with star imports, where these can only have brought them:
    `nn` is torch.nn. bound: the names that the file binds itself."""
    origins = {origin.partition(".")[0] for origin in star_imports}
    if not origins or not _OTHER_WORLDS.isdisjoint(origins):
        return {}
    return {name: meant for name, meant in _USUAL.items() if name not in bound}


class Scope:
    """The state of reading one function body, or a module's top level (`outer` None and `is_top`)."""

    def __init__(self, outer: Scope | None, qualname: str, *, is_top: bool = False) -> None:
        self.outer = outer
        self.qualname = qualname
        self.is_top = is_top
        self.variables: dict[str, Term] = {}
        self.attributes: Known = {}
        # In a loop: what was forgotten there (an object, None for all) and written (an object and a name).
        self.changes: Changes | None = None
        self.region: Region | None = None
        self.events: list[Event] = []
        self._shared: set[int] = set()
        self._stacked: list[tuple[Term, Region | None]] = []
        self.nested: list[Function] = []
        self.captured: list[Term] = []
        self.enclosing_class: str | None = None
        self.globals: set[str] = set()
        # Of a top level: what names stand for that a star import has brought.
        self.usual: dict[str, str] = {}
        self._binding_count = 0
        # By identity; each term is kept, so that its id stays its own.
        self._depths: dict[int, tuple[int, Term]] = {}

    def bind(self, name: str, term: Term) -> None:
        """Let `name` stand for `term` from here on."""
        self._binding_count += 1
        if self._binding_count > _BINDINGS_BEFORE_MEASURING and self._depth(term, 0) > _DEPTH_LIMIT:
            term = Unknown(term.place)
        self.variables[name] = term

    def look_up(self, name: str, place: Place) -> Term:
        """What `name` stands for here."""
        found = self.variables.get(name)
        if found is not None and name not in self.globals:
            return found
        if self.outer is None:
            return self._unbound(name, place)
        return self.outer.as_seen_from_inside(name, place, self)

    def _unbound(self, name: str, place: Place) -> Term:
        """What a name stands for that nothing in the file binds."""
        return Imported(place, self.usual[name]) if name in self.usual else Global(place, name)

    def as_seen_from_inside(self, name: str, place: Place, inner: Scope) -> Term:
        """What `name` of this scope stands for in a function nested in it."""
        if self.is_top:
            found = self.variables.get(name)
            if found is None:
                return self._unbound(name, place)
            return found if isinstance(found, Imported) else Global(place, name)
        found = self.look_up(name, place)
        if isinstance(found, (Imported, Global)):
            return found
        inner.captured.append(found)
        return Captured(found.place, found)

    def push(self, kind: RegionKind, subject: Term, place: Place, *, holds: bool = True) -> Region | None:
        """Enter a region and return the one to go back to."""
        before = self.region
        self.region = Region(kind, subject, holds, place, before)
        return before

    def stack(self, stack: Term, subject: Term, place: Place) -> None:
        """Enter a region by `stack.enter_context(subject)`."""
        self.push(RegionKind.WITH, subject, place)
        self._stacked.append((stack, self.region))

    def unstack(self, stack: Term) -> None:
        """Leave the regions that `stack.close()` closes, from the innermost one on."""
        stacked = [region for owner, region in self._stacked if owner is stack]
        while self.region is not None and any(self.region is one for one in stacked):
            self.region = self.region.outer

    def snapshot(self) -> tuple[dict[str, Term], Known]:
        """What is known now, to begin another branch with."""
        return dict(self.variables), dict(self.attributes)

    def restore(self, state: tuple[dict[str, Term], Known]) -> None:
        """Go back to what was known at a snapshot."""
        self.variables, self.attributes = dict(state[0]), dict(state[1])

    def merge(self, state: tuple[dict[str, Term], Known]) -> None:
        """Meet another branch that ends with `state`."""
        variables, attributes = state
        for name, term in variables.items():
            mine = self.variables.get(name)
            if mine is None:
                self.variables[name] = term
            elif mine is not term:
                self.variables[name] = choice(mine, term)
        self.attributes = {
            key: mine if mine is attributes[key] else choice(mine, attributes[key])
            for key, mine in self.attributes.items()
            if key in attributes
        }

    def write(self, base: Term, name: str, value: Term) -> None:
        """Let `base.name` stand for `value` from here on. A dict that is kept there may be changed by way of it."""
        self._note((id(base), name))
        self._shared.update(id(one) for one in _within_reach(value) if is_own_dict(one))
        self.attributes[id(base), name] = value

    def write_item(self, base: Term, index: Term, value: Term) -> None:
        """Let `base[index]` stand for `value` from here on, where `base` is a dict that this function made."""
        base = base.known or base if isinstance(base, Attribute) else base
        key = item_key(index) if is_own_dict(base) else None
        if key is not None:
            self.write(base, key, value)
        elif is_own_dict(base) or isinstance(base, (Choice, Element)):
            self.forget(base)

    def item(self, base: Term, index: Term) -> Term | None:
        """What was written to `base[index]`, where nothing can have changed it."""
        key = item_key(index) if self.attributes and is_own_dict(base) else None
        return self.attributes.get((id(base), key)) if key is not None else None

    def delete(self, base: Term, name: str) -> None:
        """Let `base.name` stand for nothing that is known."""
        self._note((id(base), name))
        self.attributes.pop((id(base), name), None)

    def enter_loop(self) -> Changes | None:
        """Forget all attributes, since an earlier round may have changed them; returns the changes made before."""
        self.attributes.clear()
        before, self.changes = self.changes, set()
        return before

    def leave_loop(self, start: tuple[dict[str, Term], Known], before: Changes | None) -> None:
        """Meet what was known before a loop; an attribute that no round can have changed is still what it was."""
        self.merge(start)
        changes = self.changes or set()
        if None not in changes:
            for key, term in start[1].items():
                if key not in changes and key[0] not in changes:
                    self.attributes[key] = term
        self.changes = None if before is None else before | changes

    def _note(self, change: int | tuple[int, str] | None) -> None:
        if self.changes is not None:
            self.changes.add(change)

    def forget(self, base: Term | None) -> None:
        """Something may have changed the attributes of `base`, of what it holds and of dicts that are kept elsewhere;
        of everything, where None."""
        if base is None:
            self._note(None)
            self.attributes.clear()
            return
        changed = self._shared.union(id(one) for one in _within_reach(base))
        for one in changed:
            self._note(one)
        if self.attributes:
            self.attributes = {key: term for key, term in self.attributes.items() if key[0] not in changed}

    def _depth(self, term: Term, level: int) -> int:
        known = self._depths.get(id(term))
        if known is None:
            inner = (
                (self._depth(part, level + 1) for part in children(term))
                if level < 2 * _DEPTH_LIMIT
                else (_DEPTH_LIMIT,)
            )
            known = self._depths[id(term)] = (1 + max(inner, default=0), term)
        return known[0]


def _within_reach(term: Term, depth: int = _REACH) -> Iterator[Term]:
    """What may change with a term: it, each that it may be, what it holds, and what a nested function closes over."""
    yield term
    parts: tuple[Term, ...] = ()
    if isinstance(term, (Choice, Display)):
        parts = children(term)
    elif isinstance(term, Closure):
        parts = term.captured
    elif isinstance(term, Element):
        parts = (term.iterable,)
    for part in parts if depth else ():
        yield from _within_reach(part, depth - 1)


def is_own_dict(term: Term) -> bool:
    """True for `{..}` and `dict(..)`."""
    callee = term.callee if isinstance(term, Call) else None
    return (isinstance(term, Display) and term.kind == "dict") or (isinstance(callee, Global) and callee.name == "dict")


def item_key(index: Term) -> str | None:
    """A constant index, as no attribute is called."""
    return f"[{index.value!r}]" if isinstance(index, Constant) else None


def _imports_the_same(first: Term, second: Term) -> bool:
    """True for `torch` of `import torch` and of `import torch.cuda.amp` in a branch."""
    return isinstance(first, Imported) and isinstance(second, Imported) and first.name == second.name


def choice(*terms: Term) -> Term:
    """One of `terms`, flattened, each once."""
    options: list[Term] = []
    for term in terms:
        for option in term.options if isinstance(term, Choice) else (term,):
            if not any(option is other or _imports_the_same(option, other) for other in options):
                options.append(option)
    return options[0] if len(options) == 1 else Choice(options[0].place, tuple(options[:8]))
