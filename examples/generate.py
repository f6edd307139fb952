"""Print the examples' StableHLO from their JAX sources: `python examples/generate.py [--check]
[NAME...]`.

For every `NAME.py` here (a function `fn` and its `example_args()`) writes `NAME.mlir`, the text as
JAX prints it, and `NAME.npz`, the arguments by the names that `anabranch-run` reads; for newton
also `newton.debug.mlir`, with the locations of the Python source. `--check` writes nothing and ends
with status 1 if a file differs from what is generated; only the version of JAX that printed the
files can tell, so with another one it says so and ends with status 0.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import pathlib
import re
import sys
from types import ModuleType

HERE = pathlib.Path(__file__).resolve().parent
WITH_LOCATIONS = ("newton",)
HEADER = "// Printed by JAX {version} from {name}.py; see generate.py.\n"


def names() -> list[str]:
    """Every example, by name."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem != "generate")


def load(name: str) -> ModuleType:
    """The Python module of example `name`."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made_with(name: str) -> str | None:
    """The version of JAX that printed the committed text of example `name`."""
    path = HERE / f"{name}.mlir"
    found = re.match(r"// Printed by JAX (\S+) ", path.read_text()) if path.exists() else None
    return found[1] if found else None


def generate(name: str) -> dict[str, bytes]:
    """File name -> content for example `name`."""
    import jax
    import numpy as np

    # Only the file's name and the innermost line: the text must not depend on where it was printed.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", r".*/(?=[^/]+$)")
    jax.config.update("jax_include_full_tracebacks_in_locations", False)
    example = load(name)
    args = example.example_args()
    lowered = jax.jit(example.fn, keep_unused=True).lower(*args)
    header = HEADER.format(version=jax.__version__, name=name)
    files = {f"{name}.mlir": (header + lowered.as_text()).encode()}
    if name in WITH_LOCATIONS:
        files[f"{name}.debug.mlir"] = (header + lowered.as_text(debug_info=True)).encode()
    stream = io.BytesIO()
    np.savez(stream, **{f"arg{i}": leaf for i, leaf in enumerate(jax.tree.leaves(args))})
    files[f"{name}.npz"] = stream.getvalue()
    return files


def same(committed: bytes, generated: bytes) -> bool:
    """Whether two files say the same: as arrays, or as modules in jaxlib's own print."""
    if committed == generated:
        return True
    if generated.startswith(b"PK"):
        return _arrays(committed) == _arrays(generated)
    return _canonical(committed) == _canonical(generated)


def _arrays(content: bytes) -> dict[str, tuple[object, ...]]:
    import numpy as np

    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        return {key: (a.dtype, a.shape, a.tobytes()) for key, a in archive.items()}


def _canonical(content: bytes) -> str:
    from jax.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context():
        return ir.Module.parse(content.decode()).operation.get_asm(enable_debug_info=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="examples (default: all)")
    parser.add_argument("--check", action="store_true", help="compare with the committed files")
    arguments = parser.parse_args()
    import jax

    status = 0
    for name in arguments.names or names():
        if arguments.check and made_with(name) not in (None, jax.__version__):
            print(f"{name}: printed by JAX {made_with(name)}, not compared with {jax.__version__}")
            continue
        for file, content in generate(name).items():
            path = HERE / file
            if not arguments.check:
                path.write_bytes(content)
                print(f"wrote {file}: {len(content)} bytes")
            elif not path.exists() or not same(path.read_bytes(), content):
                status = 1
                print(f"{file}: differs from what {name}.py gives; run examples/generate.py")
    return status


if __name__ == "__main__":
    sys.exit(main())
