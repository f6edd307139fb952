"""Decimal text of floating-point values, digit for digit as MLIR prints it.

MLIR first tries six significant digits; if they do not read back to the same bits, as many as the
type has, in plain notation when that is short; and bits in hexadecimal when the result has no point.
Digits are cut off first and then rounded half up, so not every text is the closest one: the steps
here are those of LLVM's conversion, to give the same text.
"""

from __future__ import annotations


def scientific(value: float, precision: int) -> str:
    """`1.500000e+00`: `precision` significant digits and a zero, more zeros where digits are fewer."""
    sign = "-" if _is_negative(value) else ""
    if value == 0:
        return f"{sign}0.{'0' * precision}e+00"
    digits, exponent = _digits(abs(value), precision)
    exponent += len(digits) - 1
    rest = digits[1:].ljust(precision, "0")
    return f"{sign}{digits[0]}.{rest}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def shortest(value: float, precision: int) -> str:
    """`0.333333343`, `9.99999974E-6` or, without a point, `16777216`: with at most `precision` digits.

    Plain notation unless it takes more than three zeros that say nothing.
    """
    sign = "-" if _is_negative(value) else ""
    if value == 0:
        return f"{sign}0"
    digits, exponent = _digits(abs(value), precision)
    count = len(digits)
    if exponent >= 0:
        plain = exponent <= _PADDING and count + exponent <= precision
    else:
        leading = exponent + count - 1
        plain = leading >= 0 or -leading <= _PADDING
    if not plain:
        power = exponent + count - 1
        rest = digits[1:] or "0"
        return f"{sign}{digits[0]}.{rest}E{'-' if power < 0 else '+'}{abs(power)}"
    if exponent >= 0:
        return sign + digits + "0" * exponent
    whole = count + exponent
    if whole > 0:
        return f"{sign}{digits[:whole]}.{digits[whole:]}"
    return f"{sign}0.{'0' * -whole}{digits}"


_PADDING = 3
"""Zeros that plain notation may add."""


def _is_negative(value: float) -> bool:
    return str(value).startswith("-")


def _digits(value: float, precision: int) -> tuple[str, int]:
    """Digits d and exponent e such that the value is about d * 10**e."""
    numerator, denominator = value.as_integer_ratio()
    # The denominator is a power of two, 2**k: n / 2**k = n * 5**k / 10**k.
    power = denominator.bit_length() - 1
    significand, exponent = numerator * 5**power, -power

    # Cut digits off while there are many more bits than the precision needs.
    needed = (precision * 196 + 58) // 59
    removable = (significand.bit_length() - needed) * 59 // 196
    if significand.bit_length() > needed and removable:
        significand //= 10**removable
        exponent += removable

    text = str(significand)
    stripped = text.rstrip("0")
    exponent += len(text) - len(stripped)
    if len(stripped) <= precision:
        return stripped, exponent
    kept, dropped = stripped[:precision], stripped[precision:]
    exponent += len(dropped)
    if dropped[0] >= "5":
        kept = str(int(kept) + 1)
    result = kept.rstrip("0")
    return result, exponent + len(kept) - len(result)
