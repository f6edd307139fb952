"""How the command-line tools report errors: one line on standard error, and the exit status.

0: done. 1: an error in the program or in its data. 2: wrong usage. `ANABRANCH_TRACEBACK=1` shows
the traceback of any error instead of its line.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from xdsl.utils.exceptions import DiagnosticException

from ..dialects.diagnostics import one_line, render_error

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

INTERRUPTED = "interrupted"


def error_line(error: BaseException, default_file: str) -> str:
    """What the tools print for `error`; `default_file` is named where the error knows no file."""
    if isinstance(error, DiagnosticException):
        return render_error(error, default_file)
    if isinstance(error, RecursionError):
        return f"{default_file}: error: the program is nested too deeply"
    if isinstance(error, MemoryError):
        return f"{default_file}: error: out of memory"
    return (
        f"{default_file}: error: internal error, {type(error).__name__}: {one_line(str(error))} "
        "(ANABRANCH_TRACEBACK=1 shows where; please report it)"
    )


def run_reporting(run: Callable[[], int | None], default_file: str) -> int:
    """Call `run`; the exit status is what it returns, or that of the error, which is printed."""
    try:
        status = run() or 0
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of standard output has gone: nothing is left to say, nor anyone to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_ERROR
    except KeyboardInterrupt as interrupt:
        # What was interrupted notes where it was.
        notes = [
            note for note in getattr(interrupt, "__notes__", []) if note.startswith(INTERRUPTED)
        ]
        text = one_line("\n".join(notes)) or INTERRUPTED
        print(f"{default_file}: error: {text}", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception as error:
        if os.environ.get("ANABRANCH_TRACEBACK"):
            raise
        sys.stdout.flush()
        print(error_line(error, default_file), file=sys.stderr)
        return EXIT_ERROR
