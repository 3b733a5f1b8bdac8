"""The compile policy, arrays whose references are not counted, and numba without BLAS."""

from __future__ import annotations

import ast
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import irgauge
from irgauge.compute.jit import borrowed, inlined, kernel
from irgauge.compute.jit_compiler import caching

Floats = NDArray[np.float64]
Function = Callable[[float], float]


@kernel
def _ratio(a: float, b: float) -> float:
    return a / b


@inlined
def _square(x: float) -> float:
    return x * x


@kernel
def _sum_of_squares(values: Floats) -> float:
    total = 0.0
    for value in borrowed(values):
        total += _square(value)
    return total


@kernel
def _double(values: Floats) -> None:
    same = borrowed(values)
    for row in range(len(same)):
        part = same[row]
        for place in range(len(part)):
            part[place] *= 2


def run(code: str, **environment: str) -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-W", "error", "-c", code]
    given = os.environ | environment
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=given)  # noqa: S603  # our code
    return shown.stdout


def test_kernels_divide_as_numpy_does() -> None:
    assert _ratio(1.0, 0.0) == np.inf
    assert np.isnan(_ratio(0.0, 0.0))


def test_borrowed_arrays_and_inlined_functions_give_the_same_numbers() -> None:
    values = np.random.default_rng(1).random(1000)
    expected = 0.0
    for value in values:
        expected += value * value
    assert _sum_of_squares(values) == expected


def test_a_borrowed_array_is_the_array_itself_and_its_references_stay_as_they_were() -> None:
    values = np.arange(12.0).reshape(3, 4)
    before = sys.getrefcount(values)
    for _ in range(100):
        _double(values)
        _double(values[1:])
    assert sys.getrefcount(values) == before
    factors = 2.0 ** np.array([[100], [200], [200]])
    np.testing.assert_array_equal(values, np.arange(12.0).reshape(3, 4) * factors)


def test_a_kernel_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(_ratio)) is _ratio  # noqa: S301  # packed here


_SUM = """
import sys
import numpy as np
from irgauge.compute.compilation import on_first_compilation
from irgauge.compute.jit import forgo_blas, kernel
{first}

@kernel
def total(values):
    return values.sum()

print(total(np.ones(3)), "scipy.linalg" in sys.modules)
"""


def run_file(code: str, path: Path, **environment: str) -> str:
    """What a process of its own prints that runs a file, whose compiled code can be kept."""
    path.write_text(code)
    return run(f"import runpy\nrunpy.run_path({str(path)!r})", **environment)


def test_what_is_compiled_without_blas_gives_the_same_and_scipy_linalg_is_not_imported(tmp_path: Path) -> None:
    code, path = _SUM.format(first="on_first_compilation(forgo_blas)"), tmp_path / "sums.py"
    assert run_file(code, path, NUMBA_CACHE_DIR=str(tmp_path / "without")) == "3.0 False\n"
    assert run_file(_SUM.format(first=""), path, NUMBA_CACHE_DIR=str(tmp_path / "with")) == "3.0 True\n"


_DOUBLE = """
import sys
import numpy as np
from irgauge.compute.jit import kernel

@kernel
def double(values):
    for i in range(len(values)):
        values[i] *= 2

values = np.ones(3)
double(values)
print(values.sum(), "numba.np.arraymath" in sys.modules)
"""


def test_what_was_compiled_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    told = [run_file(_DOUBLE, tmp_path / "doubles.py", NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert told == ["6.0 True\n", "6.0 False\n"]


def test_scipy_linalg_can_be_imported_after_all() -> None:
    code = (
        "from irgauge.compute.jit import forgo_blas\nforgo_blas()\nimport scipy.linalg.cython_blas, scipy.linalg\n"
        "print(scipy.linalg.det([[2.0, 0.0], [0.0, 3.0]]))"
    )
    assert float(run(code)) == 6


def test_where_blas_was_imported_before_it_stays() -> None:
    code = (
        "import scipy.linalg.cython_blas as blas, sys\nfrom irgauge.compute.jit import forgo_blas\nforgo_blas()\n"
        "import numba, numpy as np\n"
        "print(sys.modules['scipy.linalg.cython_blas'] is blas, numba.njit(lambda a: np.dot(a, a))(np.ones(3)))"
    )
    assert run(code) == "True 3.0\n"


_KERNELS = """
from irgauge.compute.compilation import on_first_compilation
from irgauge.compute.jit import kernel
on_first_compilation(lambda: print("compiling"))

@kernel
def one(a):
    return a + 1

@kernel
def two(a):
    return a + 2

print(one(1), two(1))
"""


def test_the_first_compilation_is_told_once_and_none_where_the_cache_has_all(tmp_path: Path) -> None:
    told = [run_file(_KERNELS, tmp_path / "kernels.py", NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert told == ["compiling\n2 3\n", "2 3\n"]


_COUNTED = """
from irgauge.compute.compilation import on_compilation
from irgauge.compute.jit import kernel
on_compilation(lambda functions, *, is_under_way: print(functions, is_under_way))

@kernel
def one(a):
    return a + 1

@kernel
def two(a):
    return one(a) + 1

print(two(1))
"""


def test_functions_are_counted_while_they_are_compiled(tmp_path: Path) -> None:
    told = [run_file(_COUNTED, tmp_path / "counted.py", NUMBA_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert told == ["1 True\n2 True\n2 True\n2 False\n3\n", "3\n"]


KERNEL, FROM_KERNELS, MAKING, MAKING_FROM_KERNELS, INLINED = (
    "kernel",
    "kernel(from_python=False)",
    "kernel(makes_arrays=True)",
    "kernel(makes_arrays=True, from_python=False)",
    "inlined",
)  # as they are written


def decorated(tree: ast.Module, *names: str) -> list[ast.FunctionDef]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [node for node in functions if any(ast.unparse(one) in names for one in node.decorator_list)]


def trees_with_kernels() -> list[ast.Module]:
    """The package, and the benchmarks, which have kernels too."""
    folders = Path(irgauge.__file__).parent, Path(__file__).parent.parent / "benchmarks"
    return [ast.parse(path.read_text()) for folder in folders for path in folder.rglob("*.py")]


def templates(tree: ast.Module) -> list[ast.FunctionDef]:
    """What kernels are made of."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_score_lists"]


def names_used(tree: ast.Module) -> set[str]:
    """The names that a module uses outside of kernels."""
    kernels = [*decorated(tree, KERNEL, FROM_KERNELS, MAKING, MAKING_FROM_KERNELS, INLINED), *templates(tree)]
    inside = {node for kernel in kernels for node in ast.walk(kernel)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in inside}


def names_imported(tree: ast.Module) -> set[str]:
    return {one.asname or one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names}


def test_only_kernels_call_what_python_cannot() -> None:
    trees = trees_with_kernels()
    own = [{node.name for node in decorated(tree, FROM_KERNELS, MAKING_FROM_KERNELS, INLINED)} for tree in trees]
    shared = {name for names in own for name in names if not name.startswith("_")}
    assert {"equal", "decimal"} <= shared
    for tree, names in zip(trees, own, strict=True):
        assert not names_used(tree) & (names | names_imported(tree) & shared)


@pytest.mark.parametrize("decorate", [kernel(from_python=False), inlined])
def test_python_is_told_that_it_cannot_call(decorate: Callable[[Function], Function]) -> None:
    @decorate
    def one_more(x: float) -> float:
        return x + 1

    @kernel
    def two_more(x: float) -> float:
        return one_more(one_more(x))

    for _ in range(2):  # before it is compiled, and then
        with pytest.raises(TypeError, match="only kernels can call this function"):
            one_more(1.0)
        assert two_more(1.0) == 3


@kernel
def _extremes(a: float, b: float, whole: int) -> tuple[float, float, int, float, int]:
    return min(a, b), max(a, b), int(a), min(a, whole), max(whole, 2)


@pytest.mark.parametrize("a", [-2.5, 0.0, -0.0, 3.7, np.inf, np.nan])
@pytest.mark.parametrize("b", [-2.5, 0.0, -0.0, 3.7, np.inf, np.nan])
def test_least_greatest_and_whole_numbers_are_those_of_python(a: float, b: float) -> None:
    least, greatest, whole, least_of_two_kinds, greatest_whole = _extremes(a, b, 3)
    np.testing.assert_array_equal([least, greatest, least_of_two_kinds], [min(a, b), max(a, b), min(a, 3)])
    assert np.signbit([least, greatest]).tolist() == np.signbit([min(a, b), max(a, b)]).tolist()
    assert greatest_whole == 3
    if np.isfinite(a):
        assert whole == int(a)


@inlined
def _shifted(x: int, places: int) -> int:
    return x << places


def test_a_function_is_compiled_once_for_all_constants_that_it_is_given() -> None:
    @kernel
    def both(x: int) -> int:
        return _shifted(x, 1) + _shifted(x, 2)

    both.made._cache = caching.NullCache()  # type: ignore[attr-defined]  # or it would not be compiled
    assert both(5) == 30
    assert len(_shifted.made.signatures) == 1  # type: ignore[attr-defined]


MAKES = ("empty", "zeros", "ones", "full", "empty_like", "zeros_like", "ones_like", "arange", "array", "copy", "astype")
GIVEN_BACK = ("None", "float", "int", "bool", "np.int64", "np.uint64", "Place", "_State", "Solved")  # no arrays
BORROWED = ("_borrowed_scale",)  # give kernels back arrays whose references are not counted


def names_called(function: ast.FunctionDef) -> set[str]:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return {
        one.id if isinstance(one, ast.Name) else one.attr for one in calls if isinstance(one, ast.Name | ast.Attribute)
    }


def gives_no_arrays(function: ast.FunctionDef) -> bool:
    given = ast.unparse(function.returns) if function.returns else ""
    return set(given.removeprefix("tuple[").removesuffix("]").split(", ")) <= {*GIVEN_BACK}


def test_only_kernels_with_a_memory_manager_make_arrays_or_take_them_from_others() -> None:
    trees = trees_with_kernels()
    own = [{node.name for node in decorated(tree, MAKING, MAKING_FROM_KERNELS)} for tree in trees]
    shared = {name for names in own for name in names if not name.startswith("_")}
    assert {"condensed", "flipped"} <= shared
    for tree, names in zip(trees, own, strict=True):
        making = {*MAKES} | names | names_imported(tree) & shared
        for node in decorated(tree, KERNEL, FROM_KERNELS, INLINED):
            assert not names_called(node) & making, node.name
            assert gives_no_arrays(node) or node.name in BORROWED, node.name
