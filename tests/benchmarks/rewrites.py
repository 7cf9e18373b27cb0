"""Programs written another way: each rewrite keeps what a program does, and says it as other people do.

A statement that a rewrite makes keeps the lines of those it was made of, so that findings can be compared.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from tests.benchmarks import rewrites_places as places
from tests.benchmarks import rewrites_values as values

Rewrite = Callable[[ast.Module], None]


def as_it_is(tree: ast.Module) -> None:
    """Nothing but another layout."""


REWRITES: tuple[Rewrite, ...] = (
    as_it_is,
    values.parts_named,
    values.locals_inlined,
    values.locals_in_dict,
    values.locals_in_namespace,
    values.values_unpacked,
    values.methods_as_functions,
    values.casts_by_dtype,
    values.numbers_by_name,
    values.self_by_another_name,
    values.contexts_named,
    values.comprehensions_as_loops,
    values.results_in_dict,
    values.results_in_tuple,
    values.arguments_by_keyword,
    values.names_that_tell_nothing,
    places.steps_in_helpers,
    places.loop_bodies_in_helpers,
    places.methods_delegate,
    places.methods_outside,
    places.methods_in_mixin,
    places.classes_derived,
    places.functions_in_jobs,
    places.bodies_tried,
    places.bodies_closed,
    places.contexts_entered,
    places.contexts_by_manager,
    places.loops_through_generator,
)
