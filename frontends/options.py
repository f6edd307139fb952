"""Options of compiling and running for functions that compile themselves: `ab.grad` and its like."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ..lowering.gradient_pipeline import without_requests
from ..passes.autodiff.policies import Policy
from ..runtime.checks import checked_deadline
from ..runtime.executable import Executable, compile

if TYPE_CHECKING:
    from ..runtime.memory import Amount
    from ..runtime.providers import Provider


class Running(TypedDict, total=False):
    """Keywords of `ab.grad` and its like, as `ab.compile` has them; `deadline` is for each run."""

    deadline: float | None
    devices: int | Sequence[str] | None
    assign: str | None
    report_devices: bool
    memory: Mapping[str, Amount] | Amount | None
    parallel_iterations: int | None
    fuse: bool
    executors: int
    own: Sequence[str]
    providers: Mapping[str, Provider] | None
    clock: Literal["real", "virtual"]


@dataclass(frozen=True)
class Options:
    """How what a function asks for is differentiated, compiled and run."""

    policy: Policy | None
    deadline: float | None
    compiling: Mapping[str, Any]
    """Keywords of `ab.compile`."""
    key: Hashable
    """Tells what is compiled with them from what is with others."""

    @staticmethod
    def checked(policy: str | None, given: Running) -> Options:
        """Raises TypeError for a keyword that is none, ValueError for a policy or deadline."""
        for name in given:
            if name not in Running.__annotations__:
                known = ", ".join(Running.__annotations__)
                raise TypeError(f"expected one of the options policy, {known}, got {name}")
        compiling = dict(given)
        deadline = checked_deadline(compiling.pop("deadline", None))
        try:
            parsed = None if policy is None else Policy.parse(policy)
        except VerifyException as error:
            raise ValueError(str(error)) from None
        return Options(parsed, deadline, compiling, (policy, _frozen(compiling)))

    def differentiated(self, module: ModuleOp) -> ModuleOp:
        """`@main` of a module without requests for derivatives."""
        placed = ("devices", "assign", "report_devices")
        return without_requests(
            module,
            "main",
            self.policy,
            origins=any(self.compiling.get(name) not in (None, False) for name in placed),
            optimized=not self.compiling.get("memory"),
        )

    def compile(self, module: ModuleOp, function: str = "main") -> Executable:
        """A function of a module, compiled."""
        return compile(module, function=function, **self.compiling)

    def run(
        self, executable: Executable, arrays: Sequence[npt.NDArray[Any]]
    ) -> list[npt.NDArray[Any]]:
        """One run."""
        return executable.run(arrays, deadline=self.deadline)


def _frozen(value: Any) -> Hashable:
    """Something hashable that is equal only for equal options."""
    if isinstance(value, Mapping):
        entries = sorted(cast("Mapping[Any, Any]", value).items(), key=lambda entry: str(entry[0]))
        return dict, tuple((name, _frozen(entry)) for name, entry in entries)
    if isinstance(value, list | tuple | range):
        return list, tuple(_frozen(entry) for entry in cast("Sequence[Any]", value))
    return value
