"""Numba's compiler for kernels that make no arrays: the steps that they need alone, and LLVM's work done once."""

from __future__ import annotations

import builtins as python
import operator
from collections.abc import Callable
from typing import Any

from irgauge.compute.jit_compiler import (
    builtins,
    codegen,
    compiler,
    intrinsic,
    ir,
    rewrites,
    runtime,
    targetconfig,
    targets,
    typed_passes,
    types,
    typing,
    untyped_passes,
)

_NUMBERS = (types.Number, types.Boolean)


class _Rewrites(untyped_passes.GenericRewrites):  # type: ignore[misc]  # numba has no types
    """Constants where numba wants them, such as places in tuples; lifetimes are looked for later."""

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401  # numba's interface
        blocks = state.func_ir.blocks
        for rewrite_class in rewrites.rewrites["before-inference"]:
            rewrite, waiting = rewrite_class(state), list(blocks)
            while waiting:
                label = waiting.pop()
                if rewrite.match(state.func_ir, blocks[label], state.typemap, state.calltypes):
                    blocks[label] = rewrite.apply()
                    waiting.append(label)
        return True


def _extreme(comparison: Callable[[Any, Any], Any]) -> Any:  # noqa: ANN401  # numba's types
    """The least or greatest of two numbers, as numba has it."""

    def code(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:  # noqa: ANN401  # numba's types
        return builtins.do_minmax(context, builder, signature.args, numbers, comparison)

    def of_two(context: Any, a: Any, b: Any) -> Any:  # noqa: ANN401  # numba's types
        return context.unify_types(a, b)(a, b), code

    return intrinsic(of_two)


def _whole(_: Any, number: Any) -> Any:  # noqa: ANN401  # numba's types
    """A number without its decimals, as numba has it."""
    kind = number if isinstance(number, types.Integer) else types.intp

    def code(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:  # noqa: ANN401  # numba's types
        return context.cast(builder, numbers[0], signature.args[0], kind)

    return kind(number), code


_SHORTER = {"min": _extreme(operator.lt), "max": _extreme(operator.gt), "int": intrinsic(_whole)}
_STATIC = ("static_getitem", "static_setitem")  # may be of slices, which have no hash


class _Shortening(untyped_passes.InlineInlinables):  # type: ignore[misc]  # numba has no types
    """Code in place of functions that numba compiles for each kernel anew."""

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401  # numba's interface
        super().run_pass(state)
        for block in state.func_ir.blocks.values():
            for assignment in block.find_insts(ir.Assign):
                used = assignment.value
                if isinstance(used, ir.Global) and used.value is getattr(python, used.name, None):
                    used.value = _SHORTER.get(used.name, used.value)
        return True


# Without what kernels do not have: closures, generators, `with`, loops over tuples, lists, branches for types, arrays
# that are calculated with as a whole.
_STEPS = (
    untyped_passes.TranslateByteCode(),
    untyped_passes.IRProcessing(),
    _Rewrites(),
    _Shortening(),
    untyped_passes.ReconstructSSA(),
    typed_passes.NopythonTypeInference(),
    typed_passes.PreLowerStripPhis(),
    typed_passes.IRLegalization(),
    typed_passes.NativeLowering(),
    typed_passes.NoPythonBackend(),
)


class _Typing(typing.Context):  # type: ignore[misc]  # numba has no types
    """Numba's types, which look once for what an operation gives of given types."""

    def __init__(self, context: Any) -> None:  # noqa: ANN401  # numba's types
        self.__dict__ = vars(context)
        self._known: dict[object, Any] = {}

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:  # noqa: ANN401  # numba's interface
        """The signature; functions on arrays may be compiled otherwise for kernels with a memory manager.

        Numba would compile a function of ours for each constant that it is given.
        """
        if isinstance(func, types.Dispatcher):
            return super().resolve_function_type(func, tuple(map(types.unliteral, args)), kws)
        is_known_to_numba = not isinstance(func, types.Callable) and func not in _STATIC
        if kws or not (is_known_to_numba or all(isinstance(kind, _NUMBERS) for kind in args)):
            return super().resolve_function_type(func, args, kws)
        if (func, args) not in self._known:
            self._known[func, args] = super().resolve_function_type(func, args, kws)
        return self._known[func, args]


_typing = _Typing(targets.cpu_target.typing_context)


class _Code(codegen.JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """LLVM's code of a kernel: it is optimised as a whole once, and what Python calls it by not at all."""

    def add_ir_module(self, ir_module: Any) -> None:  # noqa: ANN401  # numba's interface
        """Add code, which for Python's calls is a module by itself."""
        for function in ir_module.functions:
            if ir_module.name == "wrapper" and not function.is_declaration:
                function.attributes.add("noinline")
                function.attributes.add("optnone")
        super().add_ir_module(ir_module)

    def add_linking_library(self, library: Any) -> None:  # noqa: ANN401  # numba's interface
        """Add what is called; numba adds its memory manager too."""
        if library is not runtime.library:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _InnerCode(_Code):
    """That of a function that only kernels call: it is optimised and made machine code with theirs."""

    def finalize(self) -> None:
        """Add the code of what it calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


class Compiler(compiler.CompilerBase):  # type: ignore[misc]  # numba has no types
    """Compiles a kernel, or a function that only kernels call."""

    def _compile_core(self) -> Any:  # noqa: ANN401  # numba's interface
        state = self.state
        is_inner = state.flags.no_cpython_wrapper
        state.flags.no_compile = is_inner
        state.type_annotation = ""  # which is for readers, and kept
        state.typingctx = _typing
        state.library = (_InnerCode if is_inner else _Code)(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        with targetconfig.ConfigStack().enter(state.flags.copy()):
            for step in _STEPS:
                step.run_pass(state)
        return self._inner() if is_inner else state.cr

    def _inner(self) -> Any:  # noqa: ANN401  # numba's types
        """What has no address, known to kernels by its code."""
        code = self.state.library
        self.state.targetctx.insert_user_function(code, self.state.cr.fndesc, [code])
        return self.state.cr._replace(entry_point=code)
