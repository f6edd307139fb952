"""Forward mode: a function's tangents beside its values, in one walk in program order.

Every loop, branch and scan carries the tangents of its values along, so it runs once; ops with a
tangent get theirs from the rule table. The code of the primal stays as it is in between, so what it
computes does not change, and the walk works on its own output and on that of reverse mode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from ...dialects import dcf
from ...dialects.dcf.types import cotangent_type, is_differentiable
from .._symbols import CUSTOM_JVP
from .activity import Activity
from .emitter import Emitter
from .own_rules import check_type, with_derivatives
from .rules import jvp_rule, no_rule, own_rule

Tangents = dict[SSAValue, SSAValue]
"""Value -> its tangent; one that is not here is zero."""


def insert_tangents(function: FuncOp, wrt: Sequence[int]) -> None:
    """Make a function compute tangents too.

    Arguments afterwards: those of before, then a tangent of each argument of `wrt`. Results: those of
    before, then a tangent of each floating-point one.
    """
    block = function.body.block
    inputs = [block.args[k] for k in wrt]
    end = block.last_op
    assert isinstance(end, ReturnOp)
    results: list[SSAValue] = list(end.operands)
    tangents: Tangents = {value: _add_argument(block, value) for value in inputs}

    walk = _Forward(Activity(block, inputs, results), tangents)
    walk.block(block)
    results = list(end.operands)  # loops and branches were made anew
    emit = Emitter(block)
    emit.source = end
    end.detach()
    found = [
        tangents.get(value) or emit.zero(value)
        for value in results
        if is_differentiable(value.type)
    ]
    end.operands = [*results, *found]
    block.add_op(end)
    function.properties["function_type"] = FunctionType.from_lists(
        block.arg_types, [value.type for value in end.operands]
    )
    _pad_attributes(function, "arg_attrs", len(inputs))
    _pad_attributes(function, "res_attrs", len(found))


def insert_block_tangents(block: Block, tangents: Tangents) -> list[SSAValue | None]:
    """Make a block that ends in a `dcf.yield` compute tangents too, given those of values it reads; the
    tangents of what it yields, None for zero."""
    end = block.last_op
    assert isinstance(end, dcf.YieldOp)
    _Forward(Activity(block, tangents, list(end.operands)), tangents).block(block)
    return [tangents.get(value) for value in end.operands]


def _pad_attributes(function: FuncOp, name: str, count: int) -> None:
    """The tangents of arguments or results have no attributes."""
    known = function.properties.get(name)
    if isa(known, ArrayAttr[Attribute]):
        function.properties[name] = ArrayAttr([*known, *[DictionaryAttr({})] * count])


def _add_argument(block: Block, value: SSAValue, position: int | None = None) -> SSAValue:
    """An argument for the tangent of another one (default: the last)."""
    index = len(block.args) if position is None else position
    argument = block.insert_arg(cotangent_type(value.type), index)
    _name(argument, value)
    return argument


def _name(tangent: SSAValue, value: SSAValue) -> None:
    if tangent.name_hint is None and value.name_hint is not None:
        tangent.name_hint = f"{value.name_hint}_dot"


class _Forward:
    """Adds tangent code to blocks, in place."""

    def __init__(self, activity: Activity, tangents: Tangents):
        self.activity = activity
        self.tangents = tangents

    def block(self, block: Block) -> None:
        """Add the tangents of a block's ops; the terminator is left to the caller."""
        ops = list(block.ops)
        for op in ops:
            op.detach()
        emit = Emitter(block)
        for op in ops[:-1]:
            emit.source = op
            _STRUCTURES.get(type(op), _Forward.plain)(self, op, emit)
        block.add_op(ops[-1])

    def active(self, values: Sequence[SSAValue]) -> list[int]:
        """The positions of the active ones among `values`."""
        return [k for k, value in enumerate(values) if value in self.activity]

    def tangent(self, value: SSAValue, emit: Emitter) -> SSAValue:
        """A value's tangent, zeros if need be."""
        return self.tangents.get(value) or emit.zero(value)

    def plain(self, op: Operation, emit: Emitter) -> None:
        """An op with a rule."""
        emit.block.add_op(op)
        if not self.active(op.results):
            return
        incoming = [self.tangents.get(operand) for operand in op.operands]
        if not any(incoming):
            return
        rule = jvp_rule(op)
        if rule is None:
            raise no_rule(op)
        for result, tangent in zip(op.results, rule(op, incoming, emit), strict=True):
            if tangent is not None:
                self.tangents[result] = tangent
                _name(tangent, result)

    def call(self, op: Operation, emit: Emitter) -> None:
        """A call; a rule for tangents computes the results too, in the place of the function."""
        assert isinstance(op, CallOp)
        rule = own_rule(op, CUSTOM_JVP)
        if rule is None or not any(operand in self.tangents for operand in op.operands):
            self.plain(op, emit)
            return
        floats = [value for value in op.operands if is_differentiable(value.type)]
        arguments = [*op.operands, *(self.tangent(value, emit) for value in floats)]
        types = with_derivatives(op.result_types)
        check_type(rule, arguments, types)
        targets = [k for k, result in enumerate(op.results) if is_differentiable(result.type)]
        self.replace(op, CallOp(rule.sym_name.data, arguments, types), emit, targets)

    def loop(self, op: Operation, emit: Emitter) -> None:
        """A loop whose last carries are the tangents of the active ones."""
        assert isinstance(op, dcf.WhileOp)
        body = op.body.block
        active = self.active(body.args)
        seeds = [self.tangent(op.inits[k], emit) for k in active]
        for k in active:
            self.tangents[body.args[k]] = _add_argument(body, body.args[k])
        condition = op.condition.block
        for k in active:
            _add_argument(condition, condition.args[k])
        following = self.yielded(body, active)
        _extend(body, following)
        regions = [op.detach_region(0), op.detach_region(0)]
        made = dcf.WhileOp([*op.inits, *seeds], regions[0], regions[1])
        self.replace(op, made, emit, active)

    def branches(self, op: Operation, emit: Emitter) -> None:
        """A branch op whose last results are the tangents of those that have one in some branch."""
        assert isinstance(op, dcf.CondOp | dcf.CaseOp)
        for region in op.regions:
            self.block(region.block)
        ends = [region.block.last_op for region in op.regions]
        active = [
            k
            for k in self.active(op.results)
            if any(end is not None and end.operands[k] in self.tangents for end in ends)
        ]
        types: list[Attribute] = list(op.result_types)
        types += [cotangent_type(op.results[k].type) for k in active]
        regions: list[Region] = []
        for _ in range(len(op.regions)):
            region = op.detach_region(0)
            _extend(region.block, self.last_tangents(region.block, active))
            regions.append(region)
        made: Operation
        if isinstance(op, dcf.CondOp):
            made = dcf.CondOp(op.predicate, types, regions[0], regions[1])
        else:
            made = dcf.CaseOp(op.index, types, regions)
        self.replace(op, made, emit, active)

    def scan(self, op: Operation, emit: Emitter) -> None:
        """A scan whose carries, inputs, buffers and outputs are followed by tangents of their own."""
        assert isinstance(op, dcf.ScanOp)
        body = op.body.block
        carried = len(op.inits)
        carries = self.active(body.args[:carried])
        scanned = [k for k, value in enumerate(op.inputs) if value in self.tangents]
        outputs = self.active(op.outputs[carried:])
        inits = [self.tangent(op.inits[k], emit) for k in carries]
        inputs = [self.tangents[op.inputs[k]] for k in scanned]
        outs = [self.tangent(op.outs[k], emit) for k in outputs] if op.outs else []
        arguments = list(body.args)
        for position, k in enumerate(carries):
            argument = arguments[k]
            self.tangents[argument] = _add_argument(body, argument, carried + position)
        for k in scanned:
            argument = arguments[carried + k]
            self.tangents[argument] = _add_argument(body, argument)
        found = self.yielded(body, [*carries, *(carried + k for k in outputs)])
        end = body.last_op
        assert isinstance(end, dcf.YieldOp)
        split = len(carries)
        old = list(end.operands)
        end.operands = [*old[:carried], *found[:split], *old[carried:], *found[split:]]
        types = [value.type for value in op.outputs]
        made = dcf.ScanOp(
            [*op.inits, *inits],
            [*op.inputs, *inputs],
            [
                *types[:carried],
                *(types[k] for k in carries),
                *types[carried:],
                *(types[carried + k] for k in outputs),
            ],
            op.detach_region(0),
            outs=[*op.outs, *outs],
            length=op.length,
        )
        order = [*range(carried), *range(carried + split, split + len(types))]
        tangents = [*range(carried, carried + split), *range(split + len(types), len(made.outputs))]
        active = [*carries, *(carried + k for k in outputs)]
        self.replace(op, made, emit, active, order, tangents)

    def yielded(self, block: Block, active: Sequence[int]) -> list[SSAValue]:
        """Walk a body; the tangents of the active values it yields."""
        self.block(block)
        return self.last_tangents(block, active)

    def last_tangents(self, block: Block, active: Sequence[int]) -> list[SSAValue]:
        """The tangents of values that a block yields, zeros made before its end."""
        end = block.last_op
        assert isinstance(end, dcf.YieldOp)
        end.detach()
        emit = Emitter(block)
        emit.source = end
        found = [self.tangent(end.operands[k], emit) for k in active]
        block.add_op(end)
        return found

    def replace(
        self,
        old: Operation,
        new: Operation,
        emit: Emitter,
        active: Sequence[int],
        order: Sequence[int] | None = None,
        tangents: Sequence[int] | None = None,
    ) -> None:
        """Put `new` in the place of `old`: its results `order` are those of `old` (default: the
        first ones), and `tangents` are the tangents of those that are `active` (the last ones)."""
        count = len(old.results)
        for name, value in old.properties.items():
            new.properties.setdefault(name, value)
        new.attributes.update(old.attributes)
        new.location = old.location
        emit.block.add_op(new)
        targets = [new.results[k] for k in (order if order is not None else range(count))]
        found = new.results[count:] if tangents is None else [new.results[k] for k in tangents]
        for k, tangent in zip(active, found, strict=True):
            self.tangents[targets[k]] = tangent
            _name(tangent, old.results[k])
        for result, target in zip(old.results, targets, strict=True):
            target.name_hint = result.name_hint
            result.replace_all_uses_with(target)
        old.erase()


def _extend(block: Block, values: Sequence[SSAValue]) -> None:
    """Add to what a block yields."""
    end = block.last_op
    assert isinstance(end, dcf.YieldOp)
    end.operands = [*end.operands, *values]


_STRUCTURES: dict[type[Operation], Callable[[_Forward, Operation, Emitter], None]] = {
    dcf.WhileOp: _Forward.loop,
    dcf.CondOp: _Forward.branches,
    dcf.CaseOp: _Forward.branches,
    dcf.ScanOp: _Forward.scan,
    CallOp: _Forward.call,
}
